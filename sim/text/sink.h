#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace windrow {

/// Takes the files of a result as text, one after the other. Who implements it decides where they go, and shows them
/// whole or not at all.
class Sink {
 public:
  virtual ~Sink() = default;
  /// Begins a file; the one before is complete.
  virtual void open(std::string_view name) = 0;
  virtual void append(std::string_view text) = 0;
};

struct NamedText {
  std::string name{};
  std::string text{};
};

/// Keeps files in memory.
class TextSink final : public Sink {
 public:
  void open(std::string_view name) override { texts_.push_back({std::string(name), {}}); }
  void append(std::string_view text) override { texts_.back().text += text; }
  const std::vector<NamedText>& texts() const { return texts_; }
  std::vector<NamedText> take() { return std::move(texts_); }

 private:
  std::vector<NamedText> texts_{};
};

}  // namespace windrow
