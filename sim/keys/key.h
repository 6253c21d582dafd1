#pragma once

#include <concepts>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/words/setting.h"

namespace windrow {

/// What a key is, in words: everything that help, error texts and the reference page say about it.
struct KeyInfo {
  std::string name{};  // `rate`; `column.*` is a family with any name for `*`
  std::string meaning{};
  std::string unit{};  // of the value: "time", "size", "rows per time"; empty: a word or a plain number
  std::string accepted{};
  std::string fallback{};       // the default as text; empty: none
  std::string fallback_note{};  // says what happens without a value, if no text does
  bool required = false;

  bool family() const { return name.ends_with('*'); }
};

/// Settings of a family, by the part of the name that is free; in the order of names.
template <class T>
using Family = std::map<std::string, Setting<T>>;

/// Keys as written, by name.
struct WrittenKeys {
  std::map<std::string, SettingBase, std::less<>> settings{};

  const SettingBase& setting(std::string_view key) const {
    const auto found = settings.find(key);
    SIM_CHECK(found != settings.end(), "a key of this section");
    return found->second;
  }
};

/// A section that is read into a struct of the run's own (sim/scenario).
template <class Values>
struct ReadInto : WrittenKeys {
  Values values{};
};

/// One key of a section: its words, and where its value goes.
template <class Section>
class Key {
 public:
  using Read = std::function<void(Section&, const std::string& free_part, std::string_view text)>;
  using Find = std::function<SettingBase&(Section&, const std::string& free_part)>;
  using Copy = std::function<void(Section& to, const Section& from)>;
  using Show = std::function<void(const std::string& free_part, const SettingBase& setting)>;

  /// The member's initialiser is the default.
  template <class T>
  Key(std::string name, Setting<T> Section::*member, std::string meaning, std::string unit, std::string accepted)
      : info_{std::move(name), std::move(meaning), std::move(unit), std::move(accepted), (Section{}.*member).text()} {
    read_ = [member](Section& section, const std::string&, std::string_view text) { (section.*member).read(text); };
    find_ = [member](Section& section, const std::string&) -> SettingBase& { return section.*member; };
    copy_ = [member](Section& to, const Section& from) {
      if (!(to.*member).given() && (from.*member).present()) to.*member = from.*member;
    };
    each_ = [member](const Section& section, const Show& show) { show({}, section.*member); };
  }

  template <class T>
  Key(std::string name, Family<T> Section::*member, std::string meaning, std::string unit, std::string accepted)
      : info_{std::move(name), std::move(meaning), std::move(unit), std::move(accepted)} {
    read_ = [member](Section& section, const std::string& free_part, std::string_view text) {
      (section.*member)[free_part].read(text);
    };
    find_ = [member](Section& section, const std::string& free_part) -> SettingBase& {
      return (section.*member)[free_part];
    };
    copy_ = [member](Section& to, const Section& from) {
      for (const auto& [free_part, setting] : from.*member) (to.*member).try_emplace(free_part, setting);
    };
    each_ = [member](const Section& section, const Show& show) {
      for (const auto& [free_part, setting] : section.*member) show(free_part, setting);
    };
  }

  /// Of WrittenKeys: `take` puts the value where the run has it.
  Key(KeyInfo info, std::function<void(Section&, std::string_view text)> take) : info_(std::move(info)) {
    read_ = [take = std::move(take), name = info_.name](Section& section, const std::string&, std::string_view text) {
      take(section, text);
      section.settings[name].write(text);
    };
    find_ = [name = info_.name](Section& section, const std::string&) -> SettingBase& {
      return section.settings[name];
    };
    each_ = [name = info_.name](const Section& section, const Show& show) { show({}, section.setting(name)); };
  }

  /// A member of the run's own struct: the text is read as a T, of which the run takes `part`.
  template <class Values, class Member, class T, class Part>
  Key(std::string name, Member Values::*member, Part T::*part, std::string meaning, std::string unit,
      std::string accepted)
      : Key(KeyInfo{std::move(name), std::move(meaning), std::move(unit), std::move(accepted)},
            [member, part](Section& section, std::string_view text) {
              section.values.*member = static_cast<Member>(std::invoke(part, read_whole<T>(text)));
            }) {}
  template <class Values, class Member>
  requires std::derived_from<Section, ReadInto<Values>> Key(std::string name, Member Values::*member,
                                                            std::string meaning, std::string unit, std::string accepted)
      : Key(KeyInfo{std::move(name), std::move(meaning), std::move(unit), std::move(accepted)},
            [member](Section& section, std::string_view text) { section.values.*member = read_whole<Member>(text); }) {}

  /// The default, in the words of the scenario language; the run's struct begins with the same (a test).
  Key otherwise(std::string fallback) && {
    info_.fallback = std::move(fallback);
    return std::move(*this);
  }
  Key required() && {
    info_.required = true;
    return std::move(*this);
  }
  Key without(std::string note) && {
    info_.fallback_note = std::move(note);
    return std::move(*this);
  }
  /// What the value must satisfy; `accepted` says it in words.
  template <class T>
  Key holds(bool (*test)(const T&)) && {
    return std::move(*this).holds([test](std::string_view text) { return test(read_whole<T>(text)); });
  }
  Key holds(std::function<bool(std::string_view text)> test) && {
    check_ = std::move(test);
    return std::move(*this);
  }

  const KeyInfo& info() const { return info_; }
  /// Throws ValueError.
  void read(Section& section, const std::string& free_part, std::string_view text) const {
    read_(section, free_part, text);
  }
  SettingBase& find(Section& section, const std::string& free_part) const { return find_(section, free_part); }
  /// Of settings and families only.
  void copy(Section& to, const Section& from) const { copy_(to, from); }
  bool accepts(const SettingBase& setting) const { return !check_ || check_(setting.text()); }
  /// Shows the setting, or each of a family.
  void each(const Section& section, const Show& show) const { each_(section, show); }

 private:
  KeyInfo info_{};
  Read read_{};
  Find find_{};
  Copy copy_{};
  std::function<bool(std::string_view text)> check_{};  // none: everything that can be read
  std::function<void(const Section&, const Show&)> each_{};
};

template <class Section>
using Keys = std::vector<Key<Section>>;

}  // namespace windrow
