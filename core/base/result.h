// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace mooring {

// The exit codes of both programs.
enum class ErrorCode {
    Usage = 2,
    Input = 3,
    Device = 4,
    Output = 5,
    RunFailed = 6,
    Interrupted = 130
};

// What is wrong, where (file, key, row) and what to do: printed as "what (where): hint".
struct Error {
    ErrorCode code = ErrorCode::Input;
    std::string what;
    std::string where;
    std::string hint;

    std::string message() const {
        std::string text = what;
        if (!where.empty())
            text += " (" + where + ")";
        if (!hint.empty())
            text += ": " + hint;
        return text;
    }
};

// A value, or an Error for failures of files, configs, devices or data. Reading the absent one is a
// programming error.
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value)) { }
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error)) { }

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }
    T& value() & {
        assert(ok());
        return *std::get_if<0>(&m_state);
    }
    const T& value() const& {
        assert(ok());
        return *std::get_if<0>(&m_state);
    }
    T&& value() && {
        assert(ok());
        return std::move(*std::get_if<0>(&m_state));
    }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    const Error& error() const {
        assert(!ok());
        return *std::get_if<1>(&m_state);
    }

private:
    std::variant<T, Error> m_state;
};

template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error)
        : m_error(std::move(error)) { }

    bool ok() const { return !m_error; }
    explicit operator bool() const { return ok(); }
    const Error& error() const {
        assert(m_error);
        return *m_error;
    }

private:
    std::optional<Error> m_error;
};

} // namespace mooring

#define MOORING_CONCAT_(a, b) a##b
#define MOORING_CONCAT(a, b) MOORING_CONCAT_(a, b)

// MOORING_TRY(auto x, f()): x is f's value, or the enclosing function returns f's error.
#define MOORING_TRY(declaration, expression)                                                       \
    auto MOORING_CONCAT(result_, __LINE__) = (expression);                                         \
    if (!MOORING_CONCAT(result_, __LINE__).ok())                                                   \
        return MOORING_CONCAT(result_, __LINE__).error();                                          \
    declaration = std::move(MOORING_CONCAT(result_, __LINE__)).value()

// MOORING_RETURN_IF_ERROR(f()): for a Result<void>.
#define MOORING_RETURN_IF_ERROR(expression)                                                        \
    do {                                                                                           \
        if (auto result_ = (expression); !result_.ok())                                            \
            return result_.error();                                                                \
    } while (false)
