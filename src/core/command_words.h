// A command, as one types it, as words: for programs that are started without a shell.
//
// Why no shell: what a program is given (paths, numbers) can then mean nothing but itself. Contract: blanks
// separate words; '...' keeps everything, "..." everything but a backslash before " and \, and outside of
// quotes a backslash keeps the next character. What a shell would act on elsewhere (pipes, redirections,
// variables, patterns) is refused, because it would not be acted on here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nouq {

std::vector<std::string> command_words(std::string_view text);

}  // namespace nouq
