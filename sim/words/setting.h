#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/words/plain_values.h"
#include "sim/words/source_text.h"

// boost::any is what Program_options hands to validate(); nothing else of Boost is needed here.
#include <boost/any.hpp>

namespace windrow {

/// A key's value as written, and where.
class SettingBase {
 public:
  bool given() const { return given_; }  // by the file or --set, not by default
  bool present() const { return !text_.empty(); }
  const std::string& text() const { return text_; }
  const std::string& key() const { return key_; }  // stream.readings.rate
  const Place& place() const { return place_; }
  void locate(std::string key, Place place, bool given) {
    key_ = std::move(key);
    place_ = std::move(place);
    given_ = given;
  }

 protected:
  std::string text_{};

 private:
  std::string key_{};
  Place place_{};
  bool given_ = false;
};

template <class T>
class Setting : public SettingBase {
 public:
  Setting() = default;
  /// The default, in the words of the scenario language.
  explicit Setting(std::string_view text) { read(text); }

  const T& value() const { return value_; }
  const T& operator*() const { return value_; }
  const T* operator->() const { return &value_; }

  void read(std::string_view text) {
    T fresh{};
    Cursor cursor(text);
    read_value(cursor, fresh);
    cursor.expect_done({});
    value_ = std::move(fresh);
    text_ = std::string(text);
  }

  /// The value with what a file adds to it; text and place stay.
  void replace(T value) { value_ = std::move(value); }

 private:
  T value_{};
};

/// How Program_options reads a setting (found by its argument types).
template <class T>
void validate(boost::any& result, const std::vector<std::string>& values, Setting<T>*, int) {
  SIM_CHECK(values.size() == 1, "an option with several values");
  Setting<T> setting;
  setting.read(values.front());
  result = std::move(setting);
}

}  // namespace windrow
