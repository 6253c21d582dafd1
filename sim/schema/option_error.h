#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace windrow {

/// A sub-option that the server refuses: what() is the server's message.
struct OptionError : std::runtime_error {
  OptionError(std::string refused_key, std::string message, std::string is_accepted, bool is_server_error = false)
      : std::runtime_error(std::move(message)),
        key(std::move(refused_key)),
        accepted(std::move(is_accepted)),
        server_error(is_server_error) {}
  std::string key;       // the sub-option; "class" also when it is missing
  std::string accepted;  // what could stand there instead
  bool server_error;     // the server answers "server error" (0000) instead of "configuration" (2300)
};

}  // namespace windrow
