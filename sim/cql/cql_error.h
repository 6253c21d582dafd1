#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace windrow {

/// Part of a CQL text, in bytes.
struct Span {
  std::size_t offset = 0;
  std::size_t length = 0;
};

/// The classes of errors in the native protocol that data definition can answer with.
enum class CqlErrorClass { syntax, invalid, unauthorized, configuration, already_exists, server };

/// "SyntaxError", "Invalid", "Unauthorized", "ConfigError", "AlreadyExists", "ServerError".
std::string_view error_class_name(CqlErrorClass error_class);

/// "2000", "2200", "2100", "2300", "2400", "0000".
std::string_view error_code(CqlErrorClass error_class);

/// What is said about a refused statement, before it is known where it stands in a text.
struct CqlComplaint {
  CqlErrorClass error_class = CqlErrorClass::syntax;
  Span at{};
  std::string message{};         // ours, one line
  std::string accepted{};        // what could stand there
  std::string nearest{};         // the valid name that was probably meant
  std::string fix{};             // what to do
  std::string server_message{};  // the server's own words, where they add something
  bool unknown_option = false;   // what is refused is the name of no table option
};

/// A statement that the server refuses. what() is the whole text: place, message, source line with carets, help.
struct CqlError : std::runtime_error {
  /// `text`: the whole CQL text that `complaint.at` points into.
  CqlError(CqlComplaint complaint_made, std::string_view text);

  CqlComplaint complaint{};
  int line = 0;    // from 1
  int column = 0;  // from 1, in characters
  std::string source_line{};
  CqlErrorClass error_class() const { return complaint.error_class; }

  /// As what(), "FILE:" before the place.
  std::string text(std::string_view file) const;
};

}  // namespace windrow
