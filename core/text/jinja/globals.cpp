// SPDX-License-Identifier: GPL-3.0-or-later
// The functions that every template can call.
#include "core/text/jinja/evaluator.h"
#include <array>
#include <clocale>
#include <ctime>

namespace mooring::jinja {

namespace {

constexpr std::int64_t kMaxRange = 100000; // as the reference's sandbox has it

Value range(Evaluator& evaluator, const Arguments& arguments) {
    const bool single = arguments.positional.size() < 2;
    if (arguments.positional.empty())
        fail("range expected at least 1 argument, got 0");
    const std::int64_t start = single ? 0 : arguments.integer(0, "start", 0);
    const std::int64_t stop = arguments.integer(single ? 0 : 1, "stop", 0);
    const std::int64_t step = arguments.integer(2, "step", 1);
    if (step == 0)
        fail("range() arg 3 must not be zero");
    std::vector<Value> items;
    std::int64_t at = start;
    while (step > 0 ? at < stop : at > stop) {
        if (static_cast<std::int64_t>(items.size()) >= kMaxRange)
            fail("Range too big. The sandbox blocks ranges larger than MAX_RANGE (100000).");
        items.push_back(Value::of(at));
        if (__builtin_add_overflow(at, step, &at))
            break;
    }
    evaluator.budget().spend(40 * static_cast<std::int64_t>(items.size()));
    return Value::list(std::move(items));
}

// namespace() and dict(): a mapping or pairs, then the arguments by name.
Dict mapping(const Arguments& arguments) {
    Dict dict;
    if (!arguments.positional.empty()) {
        const Value& source = arguments.positional[0];
        if (source.is(Value::Kind::Dict))
            for (const auto& [key, value] : source.dict().items)
                dict.set(key, value);
        else
            for (const Value& pair : iterate(source)) {
                const auto parts = iterate(pair);
                if (parts.size() != 2)
                    fail("a dictionary must be built from pairs");
                dict.set(parts[0], parts[1]);
            }
    }
    for (const auto& [name, value] : arguments.named)
        dict.set(Value::of(name), value);
    return dict;
}

Value makeNamespace(Evaluator& evaluator, const Arguments& arguments) {
    Namespace* space = evaluator.newNamespace();
    for (auto& [key, value] : mapping(arguments).items)
        space->attributes[toText(key).bytes()] = value;
    return Value::of(space);
}

Value makeDict(Evaluator&, const Arguments& arguments) {
    return Value::of(mapping(arguments));
}

Value raiseException(Evaluator&, const Arguments& arguments) {
    const Value* message = arguments.find(0, "message");
    fail(message ? toText(*message).bytes() : "the template raised an exception");
}

std::tm clockOf(const std::string& now) {
    std::tm time{};
    if (now.empty()) {
        const std::time_t seconds = std::time(nullptr);
        localtime_r(&seconds, &time);
        return time;
    }
    const bool withTime = strptime(now.c_str(), "%Y-%m-%d %H:%M:%S", &time) != nullptr;
    if (!withTime) {
        time = {};
        if (!strptime(now.c_str(), "%Y-%m-%d", &time))
            fail("the date '" + now + "' is not of the form 2026-01-15");
    }
    time.tm_isdst = -1;
    std::tm normal = time;
    std::mktime(&normal); // fills in the day of the week and of the year
    return normal;
}

Value strftimeNow(Evaluator& evaluator, const Arguments& arguments) {
    const std::string* format = stringArgument(arguments, 0, "format");
    if (!format)
        fail("strftime_now needs a format");
    // English names whatever the language of the desktop: a template's date is part of the data.
    static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
    const std::tm time = clockOf(evaluator.now());
    std::array<char, 1024> buffer{};
    const std::size_t length
        = strftime_l(buffer.data(), buffer.size(), format->c_str(), &time, plain);
    return Value::of(std::string(buffer.data(), length));
}

using Function = Value (*)(Evaluator&, const Arguments&);

const std::map<std::string, Function>& functions() {
    static const std::map<std::string, Function> all
        = {{"range", range}, {"namespace", makeNamespace}, {"dict", makeDict},
            {"raise_exception", raiseException}, {"strftime_now", strftimeNow}};
    return all;
}

} // namespace

const std::vector<std::string>& globalNames() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const auto& function : functions())
            all.push_back(function.first);
        return all;
    }();
    return names;
}

Value callGlobal(Evaluator& evaluator, const std::string& name, const Arguments& arguments) {
    return functions().at(name)(evaluator, arguments);
}

} // namespace mooring::jinja
