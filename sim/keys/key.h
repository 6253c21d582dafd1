#pragma once

#include <boost/program_options.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

/// One key of a section that is read into a Section: its words, and the member that holds its value.
template <class Section>
class Key {
 public:
  using Declare = std::function<void(Section&, const std::string& option, const std::string& free_part,
                                     boost::program_options::options_description_easy_init&)>;
  using Find = std::function<SettingBase*(Section&, const std::string& free_part)>;
  using Copy = std::function<void(Section& to, const Section& from)>;
  using Show = std::function<void(const std::string& free_part, const SettingBase& setting)>;

  template <class T>
  Key(std::string name, Setting<T> Section::*member, std::string meaning, std::string unit, std::string accepted) {
    info_ = {.name = std::move(name),
             .meaning = std::move(meaning),
             .unit = std::move(unit),
             .accepted = std::move(accepted),
             .fallback = (Section{}.*member).text()};
    declare_ = [member](Section& section, const std::string& option, const std::string&, auto& add) {
      auto* semantic = boost::program_options::value<Setting<T>>(&(section.*member));
      const Setting<T> fallback = section.*member;
      if (fallback.present()) semantic->default_value(fallback, fallback.text());
      add(option.c_str(), semantic);
    };
    find_ = [member](Section& section, const std::string&) -> SettingBase* { return &(section.*member); };
    copy_ = [member](Section& to, const Section& from) {
      if (!(to.*member).given() && (from.*member).present()) to.*member = from.*member;
    };
    each_ = [member](const Section& section, const Show& show) { show({}, section.*member); };
  }

  template <class T>
  Key(std::string name, Family<T> Section::*member, std::string meaning, std::string unit, std::string accepted) {
    info_ = {.name = std::move(name),
             .meaning = std::move(meaning),
             .unit = std::move(unit),
             .accepted = std::move(accepted)};
    declare_ = [member](Section& section, const std::string& option, const std::string& free_part, auto& add) {
      add(option.c_str(), boost::program_options::value<Setting<T>>(&(section.*member)[free_part]));
    };
    find_ = [member](Section& section, const std::string& free_part) -> SettingBase* {
      return &(section.*member)[free_part];
    };
    copy_ = [member](Section& to, const Section& from) {
      for (const auto& [free_part, setting] : from.*member) (to.*member).try_emplace(free_part, setting);
    };
    each_ = [member](const Section& section, const Show& show) {
      for (const auto& [free_part, setting] : section.*member) show(free_part, setting);
    };
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
    check_ = [test](const SettingBase& setting) { return test(*static_cast<const Setting<T>&>(setting)); };
    return std::move(*this);
  }

  const KeyInfo& info() const { return info_; }
  void declare(Section& section, const std::string& option, const std::string& free_part,
               boost::program_options::options_description_easy_init& add) const {
    declare_(section, option, free_part, add);
  }
  SettingBase* find(Section& section, const std::string& free_part) const { return find_(section, free_part); }
  void copy(Section& to, const Section& from) const { copy_(to, from); }
  bool accepts(const SettingBase& setting) const { return !check_ || check_(setting); }
  /// Shows the setting, or each of a family.
  void each(const Section& section, const Show& show) const { each_(section, show); }

 private:
  KeyInfo info_{};
  Declare declare_{};
  Find find_{};
  Copy copy_{};
  std::function<bool(const SettingBase&)> check_{};  // none: everything that can be read
  std::function<void(const Section&, const Show&)> each_{};
};

template <class Section>
using Keys = std::vector<Key<Section>>;

}  // namespace windrow
