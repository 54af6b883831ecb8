// SPDX-License-Identifier: GPL-3.0-or-later
// Every way on which a character can go from a message to the output. The letters q and z are the
// message's; no template here writes them itself.
#include "render_fixture.h"

namespace mooring {
namespace {

constexpr const char* kExpressions[] = {"c", "c | trim", "c | upper", "c | lower", "c | title",
    "c | capitalize", "c | string", "c | safe", "c | e", "c | forceescape", "c | indent(2)",
    "c | indent('t', true)", "c | replace('t', '-')", "c | tojson", "c | tojson(indent=2)",
    "c | default('t')", "'' | default(c, true)", "c | list | join('t')", "c | reverse | join",
    "c | first", "c | last", "c | sort | join", "c | unique | join", "c | min", "c | max",
    "'%s-%s' | format(c, 't')", "[c, 't'] | join('-')", "['t', 't'] | join(c)", "[c] | first",
    "[['t', c]] | map('last') | join", "[{'k': c}] | map(attribute='k') | join",
    "[{'k': c}] | selectattr('k') | map(attribute='k') | first", "[c, ''] | select | join",
    "[c, ''] | reject('none') | join", "{'k': c} | dictsort | string",
    "{'k': c} | items | list | string", "{'k': c} | tojson", "[c] | sum(start='') if false else c",
    "c.strip()", "c.lstrip('t')", "c.rstrip('t')", "c.upper()", "c.lower()", "c.title()",
    "c.capitalize()", "c.casefold()", "c.replace('t', 'tt')", "'t-t'.replace('-', c)",
    "c.split('t') | join", "c.split() | join", "c.rsplit('t', 1) | first",
    "c.splitlines() | join('t')", "c.partition('t') | join('-')", "c.rpartition('t') | join('-')",
    "c.removeprefix('t')", "c.removesuffix('t')", "'t'.join([c, c])", "'{}t{x}'.format(c, x=c)",
    "c[1:]", "c[:-1]", "c[::-1]", "c[::2]", "c[0]", "c[-1]", "c + 't'", "'t' + c", "c ~ 't' ~ c",
    "c * 2", "'%s' % c", "'%5s|%-5s' % (c, c)", "'%r' % c", "c if true else 't'", "c or 't'",
    "true and c", "(c, 't')", "[c]", "{'t': c}", "{'t': [c, {'t': (c,)}]}", "dict(t=c).t",
    "dict(t=c).get('t')", "dict(t=c).values() | list", "dict(t=c).items() | list",
    "namespace(t=c).t", "messages[0].content", "messages[0]['content']",
    "messages[0].get('content')", "messages[0] | tojson",
    "messages | map(attribute='content') | join",
    "(messages | selectattr('role', 'equalto', 'user') | list)[0].content",
    "messages[0].calls[0].f.name", "messages[0].calls | tojson",
    "messages[0].calls[0].f.a.items() | list", "messages[0].parts | map(attribute='text') | join",
    "messages[0].parts[0].text | trim"};

constexpr const char* kBlocks[] = {"{% macro f(x) %}t{{ x }}{% endmacro %}{{ f(c) }}",
    "{% macro f(x, y=c) %}{{ y }}{% endmacro %}{{ f('t') }}",
    "{% macro f() %}{{ varargs[0] }}{{ kwargs.k }}{% endmacro %}{{ f(c, k=c) }}",
    "{% macro f() %}t{{ caller(c) }}{% endmacro %}{% call(x) f() %}{{ x }}{% endcall %}",
    "{% set b %}t{{ c }}{% endset %}{{ b | upper }}",
    "{% set b | lower %}{{ c }}{% endset %}{{ b }}", "{% filter upper %}t{{ c }}{% endfilter %}",
    "{% with x = c %}{{ x }}{% endwith %}", "{% for x in c %}{{ x }}{% endfor %}",
    "{% for x in [c, 't'] %}{{ loop.previtem }}{% endfor %}",
    "{% for k, v in {'t': c}.items() %}{{ k }}{{ v }}{% endfor %}",
    "{% set n = namespace(t='') %}{% for x in [1, 2] %}{% set n.t = n.t + c %}{% endfor %}{{ n.t "
    "}}",
    "{% generation %}t{{ c }}{% endgeneration %}", "{% if true %}{{ c }}{% endif %}"};

Json messages() {
    return Json::parse(R"([{"role": "user", "content": "tqzt zq\nt",
        "calls": [{"f": {"name": "qz", "a": {"z": "q", "t": ["z", 1]}}}],
        "parts": [{"type": "text", "text": " q "}]}])");
}

void expectOrigins(const std::string& source) {
    const auto rendered
        = templateOf("{% set c = messages[0].content %}<" + source + ">")->render(messages(), {});
    ASSERT_TRUE(rendered.ok()) << source << ": " << rendered.error().message();
    const auto originAt = [&](std::size_t byte) {
        for (const OriginRange& range : rendered->origins)
            if (range.begin <= byte && byte < range.end)
                return range.message;
        return -1;
    };
    bool any = false;
    for (std::size_t i = 0; i < rendered->text.size(); ++i) {
        if (std::string_view("qzQZ").find(rendered->text[i]) == std::string_view::npos)
            continue;
        any = true;
        EXPECT_EQ(originAt(i), 0) << source << " gives " << rendered->text << ", byte " << i;
    }
    // A filter may leave none of its letters over, but then a "t" of the message's.
    EXPECT_TRUE(any || !rendered->origins.empty()) << source << " gives " << rendered->text;
    EXPECT_EQ(originAt(0), -1) << source;
    EXPECT_EQ(originAt(rendered->text.size() - 1), -1) << source;
}

TEST(Origins, SurviveEveryFilterMethodAndOperator) {
    for (const char* expression : kExpressions)
        expectOrigins("{{ " + std::string(expression) + " }}");
}

TEST(Origins, SurviveEveryBlock) {
    for (const char* block : kBlocks)
        expectOrigins(block);
}

} // namespace
} // namespace mooring
