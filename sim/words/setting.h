#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "sim/words/plain_values.h"
#include "sim/words/source_text.h"

namespace windrow {

/// A key's value as written, and where.
class SettingBase {
 public:
  bool given() const { return given_; }  // by the file or --set, not by default
  bool present() const { return !text_.empty(); }
  const std::string& text() const { return text_; }
  const std::string& key() const { return key_; }  // stream.readings.rate
  const Place& place() const { return place_; }
  void write(std::string_view text) { text_ = std::string(text); }
  void locate(std::string key, Place place, bool given) {
    key_ = std::move(key);
    place_ = std::move(place);
    given_ = given;
  }

 private:
  std::string text_{};
  std::string key_{};
  Place place_{};
  bool given_ = false;
};

/// All of `text` as a value.
template <class T>
T read_whole(std::string_view text) {
  T value{};
  Cursor cursor(text);
  read_value(cursor, value);
  cursor.expect_done({});
  return value;
}

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
    value_ = read_whole<T>(text);
    write(text);
  }

  /// The value with what a file adds to it; text and place stay.
  void replace(T value) { value_ = std::move(value); }

 private:
  T value_{};
};

}  // namespace windrow
