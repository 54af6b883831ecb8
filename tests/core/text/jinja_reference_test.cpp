// SPDX-License-Identifier: GPL-3.0-or-later
// The template language against jinja2 as transformers sets it up: each expected text is what
// render_jinja_template (transformers 5.17) made of the template on the left.
#include "core/text/chat_template.h"
#include <gtest/gtest.h>

namespace mooring {
namespace {

struct Case {
    const char* source;
    const char* expected;
};

void expectAll(std::initializer_list<Case> cases) {
    RenderOptions options;
    options.now = "2026-01-15";
    options.extra = nlohmann::ordered_json::parse(
        R"json({"s": "  Héllo wörld\n", "n": 3, "l": [3, 1, 2], "ls": ["b", "A", "c", "a"], "d": {"b": 1, "a": 2, "C": [1, {"k": null}]}, "nn": null, "items": [{"k": "x", "v": 1}, {"k": "y", "v": 2}, {"k": "z"}], "w": " a  b c "})json");
    for (const auto& [source, expected] : cases) {
        const auto parsed = ChatTemplate::parse(source, "test");
        ASSERT_TRUE(parsed.ok()) << source << ": " << parsed.error().message();
        const auto rendered = (*parsed)->render(nlohmann::ordered_json::array(), options);
        ASSERT_TRUE(rendered.ok()) << source << ": " << rendered.error().message();
        EXPECT_EQ(rendered->text, expected) << source;
    }
}

TEST(TemplateWhiteSpace, TrimsBlocksAndLinesAsTheReferenceDoes) {
    expectAll(
        {{"a  {%- if true %}  b  {% endif -%}  c{{- ' d' -}} e   {#- c -#}  f", "a  b  c def"},
            {"  {% if true %}\n  x\n  {% endif %}\ny\n    {%+ if true %}k{% endif +%}\nz {# c #}\n "
             "{{ n }}  \n",
                "  x\ny\n    k\nz  3  "},
            {"a\r\nb\r\n  {% if n %}\r\nc\r\n{% endif %}\r\n", "a\nb\nc\n"},
            {"{% raw -%}  {{ a }} {%- endraw %} b", "{{ a }} b"},
            {"  {{ n }}\n  {% set a = 1 %}{% set b = 2 %}\n  z", "  3\n  z"}});
}

TEST(TemplateArithmetic, FollowsPythonsNumbersAndComparisons) {
    expectAll({{"{{ n + 2.5 }} {{ n / 2 }} {{ n // 2 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 7 % -3 }} {{ "
                "2 ** 10 }} {{ -2 ** 2 }}",
                   "5.5 1.5 1 -4 2 -2 1024 4"},
        {"{{ 1e22 }} {{ 1e16 }} {{ 1e15 }} {{ 0.1 + 0.2 }} {{ 1e-4 }} {{ 1e-5 }} {{ 10 / 5 }}",
            "1e+22 1e+16 1000000000000000.0 0.30000000000000004 0.0001 1e-05 2.0"},
        {"{{ 2.675|round(2) }} {{ 1.005|round(2) }} {{ 2.5|round }} {{ 3.5|round }} {{ "
         "1250.0|round(-2) "
         "}} {{ 2.1|round(1, 'ceil') }}",
            "2.67 1.0 2.0 4.0 1200.0 2.1"},
        {"{{ 1 < 2 < 3 }} {{ 3 > 2 > 2 }} {{ 1 == 1.0 }} {{ [1, 2] < [1, 3] }} {{ (1,) == [1] }} "
         "{{ none == x }}",
            "True False True True False False"},
        {"{{ 2 + 3 * 4 - 1 }} {{ not x }} {{ n and 'y' }} {{ none or 0 }} {{ 1 if 0 else 2 if 0 "
         "else 3 }}",
            "13 True y 0 3"}});
}

TEST(TemplateSlices, CountsCharactersAndTakesNegativeSteps) {
    expectAll({{"{{ s[2:5] }}{{ s[::-1] }}{{ s[-3:] }}{{ s[0] }}{{ s[100] }}|",
                   "Hél\ndlröw olléH  ld\n |"},
        {"{{ l[::-1] }}{{ l[1:] }}{{ l[::2] }}{{ l[-2:] }}{{ l[5:] }}{{ l[5] }}{{ 'abcdef'[4:1:-1] "
         "}}{{ 'abcdef'[-100:100] }}{{ 'abcdef'[-2::-1] }}",
            "[2, 1, 3][1, 2][3, 2][1, 2][]edcabcdefedcba"},
        {"{{ '你好😀'[::-1] }}{{ '你好'[0] }}{{ '你好'|length }}", "😀好你你2"}});
}

TEST(TemplatePrinting, WritesValuesAsPythonAndJsonAsTransformers) {
    expectAll({{"{{ l }} {{ d }} {{ true }} {{ nn }} {{ (1,) }} {{ [\"it's\", 'a\"b'] }} {{ x }}|",
                   "[3, 1, 2] {'b': 1, 'a': 2, 'C': [1, {'k': None}]} True None (1,) [\"it's\", "
                   "'a\"b'] |"},
        {"{{ d|tojson }} {{ d|tojson(indent=2) }}",
            "{\"b\": 1, \"a\": 2, \"C\": [1, {\"k\": null}]} {\n  \"b\": 1,\n  \"a\": 2,\n  \"C\": "
            "[\n    1,\n    {\n      \"k\": null\n    }\n  ]\n}"},
        {"{{ '<a & \"é\">'|tojson }} {{ [1.0, true, none, []]|tojson }} {{ "
         "'é😀'|tojson(ensure_ascii=true) }} {{ d|tojson(separators=(',', ':'), sort_keys=true) }}",
            "\"<a & \\\"é\\\">\" [1.0, true, null, []] \"\\u00e9\\ud83d\\ude00\" "
            "{\"C\":[1,{\"k\":null}],\"a\":2,\"b\":1}"}});
}

TEST(TemplateMethods, HaveStringsAndDictionariesAsPythonHas) {
    expectAll({{"{{ w.split() }} {{ w.split(' ') }} {{ w.split(None, 1) }} {{ w.rsplit(None, 1) }} "
                "{{ 'aaa'.rsplit('aa', 1) }} {{ ''.split(',') }}",
                   "['a', 'b', 'c'] ['', 'a', '', 'b', 'c', ''] ['a', 'b c '] [' a  b', 'c'] ['a', "
                   "''] ['']"},
        {"{{ 'xxabcxx'.strip('x') }} {{ 'abc'.startswith(('z', 'a')) }} {{ 'ab'.replace('', '.') "
         "}} {{ 'aXbX'.replace('X', '-', 1) }} {{ 'éab'.find('b') }} {{ 'a,b,c'.rpartition(',') }}",
            "abc True .a.b. a-bX 2 ('a,b', ',', 'c')"},
        {"{{ \"it's a-b\".title() }} {{ \"it's a-b\"|title }} {{ 'heLLo'|capitalize }} {{ "
         "'ÉCOLE'|lower }} {{ 'straße'|upper }} {{ 'ﬁŉẖ'|upper }} {{ 'ﬁn ǆ'.title() }} {{ "
         "'ßA'|capitalize }} {{ 'İI'|lower }} {{ 'ΟΔΟΣ Σ ΣΑΣ.'|lower }} {{ 'ΟΔΟΣ'|capitalize }} {{ "
         "'ΟΔΟΣ ΑΣ'|title }}",
            "It'S A-B It's A-B Hello école STRASSE FIʼNH̱ Fin ǅ Ssa i̇i οδος σ σας. Οδος Οδος Ασ"},
        {"{{ d.get('zz') }} {{ d.get('zz', 5) }} {{ d.items()|list }} {{ d['items'] is defined }} "
         "{{ d.zz is defined }} {{ '%05d|%-5s|%.2f|%x' % (42, 'ab', 3.14159, 255) }} {{ "
         "'{0}{x}'.format(1, x=3) }}",
            "None 5 [('b', 1), ('a', 2), ('C', [1, {'k': None}])] True False 00042|ab   |3.14|ff "
            "13"}});
}

TEST(TemplateFilters, SortChooseAndConvertAsTheReferenceDoes) {
    expectAll({{"{{ ls|sort }} {{ ls|sort(case_sensitive=true) }} {{ l|sort(reverse=true) }} {{ "
                "ls|unique|list }} {{ l|min }} {{ l|sum }} {{ d|dictsort }} {{ d|items|list }}",
                   "['A', 'a', 'b', 'c'] ['A', 'a', 'b', 'c'] [3, 2, 1] ['b', 'A', 'c'] 1 6 [('a', "
                   "2), ('b', 1), ('C', [1, {'k': None}])] [('b', 1), ('a', 2), ('C', [1, {'k': "
                   "None}])]"},
        {"{{ items|map(attribute='v', default=0)|list }} {{ items|selectattr('v', "
         "'defined')|map(attribute='k')|join(',') }} {{ l|reject('odd')|list }} {{ "
         "ls|map('upper')|join('-') }} {{ items|selectattr('k', 'in', ['x', 'z'])|list|length }}",
            "[1, 2, 0] x,y [2] B-A-C-A 2"},
        {"{{ x|default('D') }} {{ ''|default('D') }} {{ ''|default('D', true) }} {{ '3.7'|int }} "
         "{{ 'ff'|int(0, 16) }} {{ 2.5|round }} {{ 'x'|float }} {{ -7|abs }}",
            "D  D 3 255 2.0 0.0 7"},
        {"{{ 'one\\ntwo\\n\\nthree\\n'|indent(2) }}|{{ 'a\\nb'|indent('>', true) }}",
            "one\n  two\n\n  three\n|>a\n>b"},
        {"{{ '<'|safe + '<' }} {{ '<' + '>'|safe }} {{ '<'|e }} {{ '<'|safe ~ '<' }}",
            "<&lt; &lt;> &lt; <<"}});
}

TEST(TemplateTests, TellKindsApartAsTheReferenceDoes) {
    expectAll({{"{{ x is defined }} {{ nn is none }} {{ true is boolean }} {{ true is integer }} "
                "{{ d is mapping }} {{ d is sequence }} {{ 'a' is iterable }} {{ n is iterable }} "
                "{{ x is iterable }} {{ n is odd }} {{ 6 is divisibleby 3 }} {{ n is not none }} "
                "{{ l is string }}",
                   "False True True False True True True False True True True True False"},
        {"{{ 1 in l }} {{ 9 not in l }} {{ 'b' in d }} {{ 'H' in s }} {{ 'k' in x }} {{ not 1 in l "
         "}}",
            "True True True True False False"}});
}

TEST(TemplateBlocks, LoopScopeAndCallAsTheReferenceDoes) {
    expectAll({{"{% for i in l %}{{ loop.index }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last "
                "}}{{ loop.previtem }}{{ loop.nextitem }}{{ loop.cycle('a', 'b') }};{% endfor %}",
                   "12TrueFalse1a;21FalseFalse32b;30FalseTrue1a;"},
        {"{% for k, v in d.items() %}{{ k }}={{ v }},{% endfor %}{% for i in [] %}x{% else "
         "%}none{% endfor %}{% for i in l if i > 1 %}{{ i }}{{ loop.last }}{% endfor %}",
            "b=1,a=2,C=[1, {'k': None}],none3False2True"},
        {"{% for i in range(10) %}{% if i == 2 %}{% continue %}{% endif %}{% if i == 5 %}{% break "
         "%}{% endif %}{{ i }}{% endfor %}",
            "0134"},
        {"{% set a = 1 %}{% for i in l %}{% set a = a + i %}{{ a }}{% endfor %}{{ a }}{% set ns = "
         "namespace(c=0) %}{% for i in l %}{% set ns.c = ns.c + i %}{% endfor %}{{ ns.c }}{% set z "
         "%}  hi {{ n }}{% endset %}[{{ z }}]{% set z | upper %}hi{% endset %}{{ z }}",
            "42316[  hi 3]HI"},
        {"{% macro m(a, b='B', c=a) %}({{ a }},{{ b }},{{ c }}){% endmacro %}{{ m(1) }}{{ m(b=3, "
         "a=4) }}{% macro r(n) %}{{ n }}{% if n > 0 %}{{ r(n - 1) }}{% endif %}{% endmacro %}{{ "
         "r(3) }}",
            "(1,B,1)(4,3,4)3210"},
        {"{% macro c(x) %}<{{ caller(x) }}>{% endmacro %}{% call(y) c('v') %}[{{ y }}]{% endcall "
         "%}{% filter upper %}abc{% endfilter %}{% with a = 5, b = n %}{{ a }}{{ b }}{% endwith %}",
            "<[v]>ABC53"},
        {"{{ strftime_now('%d %b %Y %A %-d') }} {% generation %} x {% endgeneration %}",
            "15 Jan 2026 Thursday 15  x "}});
}

} // namespace
} // namespace mooring
