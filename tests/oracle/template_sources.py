# SPDX-License-Identifier: GPL-3.0-or-later
"""Templates of our own for what published ones seldom use."""

SOURCES = {
    "filters": """{% for m in messages %}{{ m.role|upper }}:{{ m.content|string|trim|replace('a', 'A', 1)}}
{{ m.content|string|title }}|{{ m.role|first }}{{ m.role|last }}
{{ m.content|string|length }}{{ m|items|list|length }}{{ m|dictsort }}{% endfor %}""",
    "loops": """{% for m in messages if m.role != 'system' %}{{ loop.index }}/{{ loop.length }}{{ loop.first }}{{ loop.revindex }}
{% if loop.previtem is defined and loop.previtem.role == m.role %}same{% endif %}{{ loop.cycle('a', 'b', 'c') }}
{% if loop.index > 4 %}{% break %}{% elif loop.index is divisibleby 2 %}{% continue %}{% endif %}{{ loop.changed(m.role) }}
{%- else %}none{% endfor %}""",
    "slices": """{{ messages[::-1]|map(attribute='role')|join(',') }}{{ messages[1:-1]|length }}{{ messages[-1:] }}
{% if messages %}{{ (messages[0].content|string)[::2] }}{{ (messages[0].content|string)[-5:] }}{% endif %}""",
    "choices": """{{ messages|map(attribute='role')|unique|sort|join('|') }}{{ messages|selectattr('role', 'in', ['user', 'tool'])|list|length }}
{{ messages|rejectattr('role', 'equalto', 'user')|map(attribute='role')|list }}""",
    "macros": """{% macro show(m, open='<', close='>') %}{{ open }}{{ m.role }}{{ caller() if caller else '' }}{{ close }}{{ varargs }}{{ kwargs }}
{% endmacro %}{% for m in messages %}{{ show(m) }}{{ show(m, '(', close=')') }}{% call show(m, '[') %}{{ m.content }}{% endcall %}{% endfor %}""",
    "json": """{% for m in messages %}{{ m|tojson }}{{ m|tojson(indent=2) }}{{ m.content|tojson(ensure_ascii=True) }}
{{ m|tojson(sort_keys=true, separators=(',', ':')) }}{% endfor %}{{ tools|tojson(indent=4) if tools }}""",
    "strings": """{% for m in messages %}{% set c = m.content|string %}{{ c.split() }}{{ c.split('</think>')[-1].lstrip('\\n') }}
{{ c.strip().upper() }}{{ c.partition(' ') }}{{ c.rsplit(' ', 1) }}{{ c.startswith(('W', 'I')) }}{{ c.find('a') }}{{ c.count('t') }}
{{ c.title() }}{{ c.capitalize() }}{{ c.splitlines() }}{{ c.replace('\\n', '|') }}{{ c.isdigit() }}
{{ '%s-%r-%5s' % (m.role, c, 'x') }}{{ '{}|{x}'.format(m.role, x=c) }}{% endfor %}""",
    "arithmetic": """{% set ns = namespace(n=0, list=[]) %}{% for m in messages %}{% set ns.n = ns.n + (m.content|string|length) %}
{% set ns.list = ns.list + [m.role] %}{% endfor %}{{ ns.n }} {{ ns.n / 7 }} {{ ns.n // 7 }} {{ ns.n % 7 }} {{ -ns.n ** 2 }} {{ ns.list }}
{{ 0.1 + 0.2 }} {{ 1e3 }} {{ 10 ** 18 }} {{ 7.0|round(1) }} {{ 2.675|round(2) }} {{ 5|float }} {{ '3.9'|int }} {{ [1, 2.5, -3]|sum }}""",
    "tests": """{% for m in messages %}{{ m.content is string }}{{ m.content is iterable }}{{ m.content is mapping }}{{ m.content is sequence }}
{{ m.content is none }}{{ m.content is number }}{{ m.x is defined }}{{ m.x is undefined }}{{ m.tool_calls is defined and m.tool_calls }}
{{ m.role in ['user', 'assistant'] }}{{ m.role is eq 'user' }}{{ m.content is sameas none }}{{ m.role is lower }}{% endfor %}
{{ tools is none }}{{ documents is defined }}{{ documents is none }}{{ enable_thinking is defined }}{{ enable_thinking is true }}""",
    "white space": """  {%- if messages -%}
    a  {# gone #}
  {%+ if true %} b {% endif +%}
\t{% set x %}  c
  {% endset %}{{ x }}
  {%- endif %}
{% raw %}{{ kept }} {% if %}{% endraw %}
{{- '\\n' }}{{ "tab\\there \\u00e9 \\x41 \\\\" }}
""",
    "undefined": """{% for m in messages %}{{ m.nothing }}{{ nothing }}{{ m.nothing|default('d') }}{{ m.content or 'empty' }}
{{ m['role'] }}{{ m.get('x', 'y') }}{{ (m.tool_calls or [])|length }}{% endfor %}{{ messages[99] is defined }}""",
    "raising": "{% if messages|length > 2 %}{{ raise_exception('more than ' ~ 2 ~ ' messages: ' ~ messages|length) }}{% endif %}{{ messages[0].content.x.y }}",
    "generation": """{% for m in messages %}{% if m.role == 'assistant' %}{% generation %}{{ m.content }}{{ eos_token }}{% endgeneration %}
{% else %}{{ m.content }}{% endif %}{% endfor %}{{ strftime_now('%Y-%m-%d %H:%M %j %B') }}""",
    "unknown filter": "{{ messages|nosuchfilter }}",
    "broken": "{% for m in messages %}{{ m.content }",
}
