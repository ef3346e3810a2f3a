"""What a C++ or CUDA file defines: tree-sitter finds the definitions, their expressions stay text for our own reader.

The grammar stumbles over a few words of C++ that say nothing about a layout; blanks take their place before it reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from laycalc.diagnostics.model import Diagnostic, Failure

from ..forms.dialects.around import Names
from ..forms.dialects.terms import Terms
from ..syntax.nodes import Expression
from .cpp_terms import FileTerms
from .definitions import Block, Condition, Definition, Extent, Parameter, Unread
from .macros import Macros

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["CppFile", "read_cpp"]

STATEMENT = 20_000
"""Characters of a statement around an error."""
DEPTH = 120
"""Blocks and statements inside one another."""

_BLANKED = re.compile(
    r"\btypename\s+(?=(?:\w+\s*::\s*)*(?:template\s+)?\w+\s*(?:<|::))(?!\w+\s*=)"
    r"|(?<=::)\s*template\s+(?=\w+\s*<)"
    r"|\b(?:CUTE_HOST_DEVICE|CUTE_DEVICE|CUTE_HOST|CUTLASS_DEVICE|CUTLASS_HOST_DEVICE|CUTLASS_HOST|CUTE_HOST_RTC"
    r"|CUTLASS_GLOBAL|CUTLASS_CONSTEXPR_IF_CXX17|CUTE_INLINE_CONSTANT|CUTLASS_PRAGMA_UNROLL|CUTE_UNROLL|CUTE_NO_UNROLL"
    r"|CUTLASS_PRAGMA_NO_UNROLL|CUTE_GRID_CONSTANT|CUTLASS_GRID_CONSTANT|__forceinline__|__noinline__|__host__"
    r"|__device__|__global__|__grid_constant__|__restrict__|__shared__|__constant__)\b"
    r"|\b__launch_bounds__\s*\([^()]*(?:\([^()]*\)[^()]*)*\)"
    r"|\b(?:alignas|__align__)\s*\([^()]*\)|\[\[[^\[\]]*\]\]|\brequires\s*\([^()]*\)"
)
"""What is blanked: words that mark functions and say nothing about layouts, and hints that the grammar misreads."""
_STATEMENT = re.compile(
    r"^[ \t]*(?:(?P<using>using)|(?:static\s+|constexpr\s+|const\s+)*(?:auto|Tensor))\s+(?P<name>\w+)\s*=\s*(?=\S)",
    re.MULTILINE,
)
"""How a line begins that defines a name."""
_ASSERTS = frozenset({"CUTE_STATIC_ASSERT_V", "CUTE_STATIC_ASSERT", "static_assert"})
_NUMBERS = re.compile(
    r"(?:(?:static|const|constexpr|inline|unsigned|signed|volatile|std::)\s*)*"
    r"(?:bool|char|short|int|long|long long|unsigned|size_t|ptrdiff_t|u?int(?:8|16|32|64)_t|index_t)"
)
_LITERAL_TYPES = ("template_type", "qualified_identifier", "type_identifier", "decltype", "dependent_type")


class CppFile:
    """A file of C++ as blocks of definitions, and what of it the grammar could not read."""

    def __init__(self, text: str, macros: Macros) -> None:
        self.text = text
        self.macros = macros
        self.unread: list[Unread] = []
        self.includes: list[str] = []
        self.root = Block("file", "", 1, Extent(0, len(text)), None)
        self._reader = _Reader(self)

    def line(self, offset: int) -> int:
        """The line of a character."""
        return self._reader.line(offset)

    def expression(self, extent: Extent, names: Names) -> Expression:
        """The tree of an expression of the file, whatever it is: a value, a type, a word."""
        return _whole(FileTerms(self.text, extent.start, extent.end, names))

    def module(self, name: str) -> list[str] | None:
        """The path that an import gives a name; C++ has none."""
        return None

    def foreign(self, text: str, names: Names) -> Expression:
        """The tree of an expression that stands elsewhere."""
        return _whole(FileTerms(text, names=names))


def read_cpp(text: str, macros: Macros) -> CppFile:
    """The definitions of a file; LC103 if the grammar is not installed."""
    found = CppFile(text, macros)
    found._reader.read()
    return found


def _whole(terms: Terms) -> Expression:
    found = terms.expression()
    if terms.token.kind != "end":
        raise terms.unexpected()
    return found


def _parser() -> Any:
    try:
        import tree_sitter
        import tree_sitter_cuda
    except ImportError:
        message = "C++ and CUDA files need tree-sitter and its CUDA grammar: pip install tree-sitter tree-sitter-cuda"
        raise Failure(Diagnostic("LC103", message)) from None
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language()))


class _Around:
    """Where the walk is: the block, the part of a function where names are known, the conditions, the depth."""

    __slots__ = ("block", "depth", "reach", "when")

    def __init__(self, block: Block, reach: Extent, when: tuple[Condition, ...] = (), depth: int = 0) -> None:
        self.block = block
        self.reach = reach
        self.when = when
        self.depth = depth

    def inside(self, **changes: Any) -> _Around:
        """The same one level deeper, with changes."""
        found = _Around(self.block, self.reach, self.when, self.depth + 1)
        for name, value in changes.items():
            setattr(found, name, value)
        return found


class _Reader:
    """The walk over the tree of a file: a method for each kind of node that defines something."""

    def __init__(self, file: CppFile) -> None:
        self.file = file
        self.text = file.text
        self.template: tuple[Parameter, ...] | None = None
        self._starts = [0, *(m.end() for m in re.finditer("\n", self.text))]

    def line(self, offset: int) -> int:
        from bisect import bisect_right

        return bisect_right(self._starts, offset)

    def read(self) -> None:
        blanked = _BLANKED.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), self.text)
        # One byte a character, so that the places of the tree are those of the text.
        tree = _parser().parse(blanked.encode("ascii", "replace"))
        self._all(tree.root_node, _Around(self.file.root, self.file.root.extent))
        if tree.root_node.has_error:
            self._lost(blanked)

    def _lost(self, text: str) -> None:
        """The aliases and variables that the grammar took for something else around an error."""
        blocks = sorted(self.file.root.below(), key=lambda block: block.extent, reverse=True)
        known = {d.text.start for block in blocks for d in block.all_definitions()}
        inside: list[Block] = []
        for found in _STATEMENT.finditer(text):
            start = found.end()
            end = text.find(";", start, start + STATEMENT)
            while blocks and blocks[-1].extent.start <= start:
                inside.append(blocks.pop())
            while len(inside) > 1 and inside[-1].extent.end <= start:
                inside.pop()
            if end >= 0 and start not in known:
                kind, line = "type" if found["using"] else "value", self.line(found.start())
                inside[-1].add(Definition(found["name"], kind, Extent(start, end), line, inside[-1].extent))

    # ---- the walk ----

    def _all(self, node: Node, around: _Around) -> None:
        for child in node.named_children:
            self.visit(child, around)

    def visit(self, node: Node, around: _Around) -> None:
        """Read a node; what has no method of its own is looked through."""
        if around.depth > DEPTH:
            self._unread(node, "it is nested too deeply")
            return
        method = _VISIT.get(node.type)
        if method is not None:
            method(self, node, around)
        elif node.type not in _OPAQUE:
            self._all(node, around.inside())

    def _unread(self, node: Node, reason: str) -> None:
        first = self.text[node.start_byte : node.end_byte].strip().split("\n", 1)[0][:120]
        self.file.unread.append(Unread(self.line(node.start_byte), first, reason))

    def _text(self, node: Node) -> str:
        return self.text[node.start_byte : node.end_byte]

    # ---- templates, structs, functions ----

    def _template(self, node: Node, around: _Around) -> None:
        before, self.template = self.template, self._parameters(node.child_by_field_name("parameters"))
        for child in node.named_children:
            if child.type != "template_parameter_list":
                self.visit(child, around)
        self.template = before

    def _taken(self) -> tuple[Parameter, ...] | None:
        """The template parameters of what is read now; what is inside has its own."""
        taken, self.template = self.template, None
        return taken

    def _parameters(self, node: Node | None) -> tuple[Parameter, ...]:
        found = [] if node is None else [self._parameter(child, i) for i, child in enumerate(node.named_children)]
        return tuple(parameter for parameter in found if parameter is not None)

    def _parameter(self, node: Node, place: int) -> Parameter | None:
        if node.type == "comment":
            return None
        default = node.child_by_field_name("default_value") or node.child_by_field_name("default_type")
        where = None if default is None else _extent(default)
        name = node.child_by_field_name("name") or _declared_name(node.child_by_field_name("declarator"))
        words = self._text(name) if name is not None else f"#{place}"
        many = node.type.startswith("variadic")
        if "type_parameter" in node.type:
            if name is None:
                found = next((c for c in node.named_children if c.type == "type_identifier"), None)
                words = self._text(found) if found is not None else words
            return Parameter(words, "type", where, None, many)
        kind = node.child_by_field_name("type")
        if kind is None:
            return Parameter(words, "type", where, None, many)
        number = _NUMBERS.fullmatch(self._text(kind).strip()) is not None
        return Parameter(words, "number" if number else "value", where, _extent(kind), many)

    def _struct(self, node: Node, around: _Around) -> None:
        body, name = node.child_by_field_name("body"), node.child_by_field_name("name")
        template = self._taken()
        if body is None:
            return
        patterns = None
        words = self._text(name) if name is not None else ""
        if name is not None and name.type == "template_type":
            written, arguments = name.child_by_field_name("name"), name.child_by_field_name("arguments")
            words = "" if written is None else self._text(written)
            patterns = () if arguments is None else tuple(map(_extent, arguments.named_children))
        block = Block("struct", words, self.line(node.start_byte), _extent(node), around.block)
        block.template, block.patterns, block.conditions = template, patterns, around.when
        for child in node.named_children:
            if child.type == "base_class_clause":
                block.bases += [_extent(c) for c in child.named_children if c.type in _LITERAL_TYPES]
        around.block.enter(block)
        self._all(body, around.inside(block=block, reach=_extent(body), when=()))

    def _enum(self, node: Node, around: _Around) -> None:
        for child in (c for c in _below(node, "enumerator", 3)):
            name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
            if name is not None and value is not None:
                self._define(around, self._text(name), "number", value)

    def _namespace(self, node: Node, around: _Around) -> None:
        body, name = node.child_by_field_name("body"), node.child_by_field_name("name")
        block = around.block
        for word in self._text(name).split("::") if name is not None else ():
            known = [b for b in block.blocks.get(word, ()) if b.kind == "namespace"]
            made = Block("namespace", word, self.line(node.start_byte), _extent(node), block)
            block = known[0] if known else block.enter(made)
        if body is not None:
            self._all(body, around.inside(block=block))

    def _function(self, node: Node, around: _Around) -> None:
        body, template = node.child_by_field_name("body"), self._taken()
        declarator = _function_declarator(node)
        if body is None or declarator is None:
            self._all(node, around.inside())
            return
        name = _declared_name(declarator.child_by_field_name("declarator"))
        words = self._text(name).rpartition("::")[2] if name is not None else ""
        self._callable(words, node, declarator, body, around, template)

    def _callable(
        self,
        name: str,
        node: Node,
        declarator: Node | None,
        body: Node,
        around: _Around,
        template: tuple[Parameter, ...] | None = None,
    ) -> None:
        block = Block("function", name, self.line(node.start_byte), _extent(node), around.block)
        block.template, block.conditions = template, around.when
        if declarator is not None:
            block.parameters = self._parameters(declarator.child_by_field_name("parameters"))
        around.block.enter(block)
        self._all(body, around.inside(block=block, reach=_extent(body), when=()))

    def _lambda(self, node: Node, around: _Around) -> None:
        body = node.child_by_field_name("body")
        if body is not None:
            self._callable("", node, node.child_by_field_name("declarator"), body, around)

    # ---- names ----

    def _define(
        self, around: _Around, name: str, kind: str, value: Node | Extent, entry: int | None = None, line: int = 0
    ) -> None:
        text = value if isinstance(value, Extent) else _extent(value)
        line = line or self.line(text.start)
        around.block.add(Definition(name, kind, text, line, around.reach, around.when, entry))

    def _alias(self, node: Node, around: _Around) -> None:
        name, value, template = node.child_by_field_name("name"), node.child_by_field_name("type"), self._taken()
        if name is None or value is None:
            return
        line = self.line(node.start_byte)
        if template is None:
            self._define(around, self._text(name), "type", value, line=line)
            return
        block = Block("alias", self._text(name), line, _extent(node), around.block)
        block.template = template
        block.add(Definition("", "return", _extent(value), line, block.extent))
        around.block.enter(block)

    def _typedef(self, node: Node, around: _Around) -> None:
        kind, name = node.child_by_field_name("type"), node.child_by_field_name("declarator")
        if kind is not None and name is not None and name.type == "type_identifier":
            self._define(around, self._text(name), "type", kind, line=self.line(node.start_byte))

    def _declaration(self, node: Node, around: _Around) -> None:
        """``auto x = ..;``, ``static constexpr int a = .., b = ..;``, ``Mma mma;``."""
        kind, self.template = node.child_by_field_name("type"), None
        if kind is not None and kind.type in ("struct_specifier", "class_specifier", "enum_specifier"):
            self.visit(kind, around)
        line = self.line(node.start_byte)
        defaults = iter(_fields(node, "default_value"))
        for declarator in _fields(node, "declarator"):
            value = declarator.child_by_field_name("value")
            target = declarator.child_by_field_name("declarator") or declarator
            if node.type == "field_declaration" and value is None:
                following = declarator.next_named_sibling
                value = next(defaults) if following is not None and _is_default(node, following) else None
            self._declared(kind, target, value, around, line)

    def _declared(self, kind: Node | None, target: Node, value: Node | None, around: _Around, line: int) -> None:
        name = _declared_name(target)
        if value is not None and value.type == "lambda_expression":
            body = value.child_by_field_name("body")
            if body is not None and name is not None:
                head = value.child_by_field_name("declarator")
                self._callable(self._text(name), value, head, body, around.inside())
            return
        if value is not None:
            self.visit(value, around.inside())  # for the functions in it
        if target.type == "structured_binding_declarator" and value is not None:
            for entry, child in enumerate(target.named_children):
                self._define(around, self._text(child), "value", value, entry, line)
        elif name is not None and kind is not None and target.type not in ("function_declarator", "array_declarator"):
            self._variable(kind, self._text(name), value, around, line)

    def _variable(self, kind: Node, name: str, value: Node | None, around: _Around, line: int) -> None:
        """A variable by its value; without one its type says what it is, unless that is a number."""
        number = _NUMBERS.fullmatch(self._text(kind).strip()) is not None
        braced = value is not None and value.type in ("initializer_list", "argument_list")
        inner = value.named_children if value is not None and braced else []
        if value is not None and not braced:
            text = _extent(value)
        elif number:
            text = _extent(inner[0]) if len(inner) == 1 else Extent(kind.start_byte, kind.start_byte)
        elif value is None or not inner:
            if kind.type not in _LITERAL_TYPES:
                return
            text = _extent(kind)
        else:
            text = Extent(kind.start_byte, value.end_byte)
        self._define(around, name, "number" if number else "value", text, line=line)

    # ---- statements ----

    def _assertion(self, node: Node, around: _Around) -> None:
        condition = node.child_by_field_name("condition")
        if condition is not None:
            self._define(around, "", "assertion", condition, line=self.line(node.start_byte))

    def _statement(self, node: Node, around: _Around) -> None:
        """An expression statement: a check of CuTe, or calls with functions in them."""
        inner = node.named_children[0] if node.named_child_count else None
        if inner is not None and inner.type == "call_expression":
            function, arguments = inner.child_by_field_name("function"), inner.child_by_field_name("arguments")
            if function is not None and arguments is not None and self._text(function) in _ASSERTS:
                given = [c for c in arguments.named_children if c.type != "comment"]
                if given:
                    self._define(around, "", "assertion", given[0], line=self.line(node.start_byte))
                return
        self._all(node, around.inside())

    def _assigned(self, node: Node, around: _Around) -> None:
        """``x = ..``, ``x += ..``, ``++x``: what x is depends on when one asks."""
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        if target is not None and target.type == "identifier":
            name = self._text(target)
            block: Block | None = around.block
            while block is not None and block.kind == "function":
                if name in block.definitions:
                    block.definitions[name] = [d.replace(changes=True) for d in block.definitions[name]]
                    break
                block = block.parent
        self._all(node, around.inside())

    def _return(self, node: Node, around: _Around) -> None:
        value = next((c for c in node.named_children if c.type != "comment"), None)
        if value is not None and around.block.kind == "function":
            self.visit(value, around.inside())
            self._define(around, "", "return", value)

    def _compound(self, node: Node, around: _Around) -> None:
        self._all(node, around.inside(reach=_extent(node)))

    def _if(self, node: Node, around: _Around) -> None:
        """An ``if constexpr`` decides; at a plain one both ways are read."""
        condition = node.child_by_field_name("condition")
        value = None if condition is None else condition.child_by_field_name("value") or condition
        constant = any(child.type == "constexpr" for child in node.children)
        inside = around.inside(reach=_extent(node))
        known = _extent(value) if constant and value is not None else None
        for field, truth in (("consequence", True), ("alternative", False)):
            branch = node.child_by_field_name(field)
            if branch is not None:
                when = () if known is None else (Condition(known, truth, _extent(branch)),)
                self.visit(branch, inside.inside(when=(*around.when, *when)))

    def _loop(self, node: Node, around: _Around) -> None:
        self._all(node, around.inside(reach=_extent(node)))

    # ---- the preprocessor ----

    def _include(self, node: Node, around: _Around) -> None:
        path = node.child_by_field_name("path")
        if path is not None:
            self.file.includes.append(self._text(path).strip('<>"'))

    def _macro(self, node: Node, around: _Around) -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None:
            written = "" if value is None else self._text(value).split("//")[0].strip()
            self.file.macros.define(self._text(name), written)
            if value is not None and written:
                start = value.start_byte + self._text(value).index(written)
                self._define(
                    _Around(self.file.root, self.file.root.extent), self._text(name), "value",
                    Extent(start, start + len(written)),
                )  # fmt: skip

    def _preprocessed(self, node: Node, around: _Around) -> None:
        """``#if``, ``#ifdef``, ``#elif``: the branch whose condition holds."""
        name, condition = node.child_by_field_name("name"), node.child_by_field_name("condition")
        alternative = node.child_by_field_name("alternative")
        if name is not None:
            negative = self.text.startswith("#ifndef", node.start_byte) or node.children[0].type == "#ifndef"
            holds = (self._text(name) in self.file.macros) is not negative
        else:
            holds = condition is None or self.file.macros.holds(self._text(condition))
        if holds:
            for child in node.named_children:
                if child not in (name, condition, alternative):
                    self.visit(child, around)
        elif alternative is not None:
            self.visit(alternative, around)


def _extent(node: Node) -> Extent:
    return Extent(node.start_byte, node.end_byte)


def _fields(node: Node, field: str) -> Iterator[Node]:
    yield from node.children_by_field_name(field)


def _is_default(node: Node, child: Node) -> bool:
    return any(child == other for other in _fields(node, "default_value"))


def _below(node: Node, kind: str, levels: int) -> Iterator[Node]:
    """The nodes of a kind, a few levels down."""
    for child in node.named_children:
        if child.type == kind:
            yield child
        elif levels:
            yield from _below(child, kind, levels - 1)


def _declared_name(node: Node | None) -> Node | None:
    """The name inside a declarator: behind references, pointers, initialisers."""
    for _ in range(12):
        if node is None or node.type in ("identifier", "field_identifier", "type_identifier", "qualified_identifier"):
            return node
        inner = node.child_by_field_name("declarator")
        if inner is None:
            inner = next((c for c in node.named_children if "identifier" in c.type or "declarator" in c.type), None)
        node = inner
    return None


def _function_declarator(node: Node) -> Node | None:
    """The declarator with the parameters of a function definition."""
    found = node.child_by_field_name("declarator")
    for _ in range(12):
        if found is None or found.type == "function_declarator":
            return found
        found = found.child_by_field_name("declarator") or next(
            (c for c in found.named_children if "declarator" in c.type), None
        )
    return None


_OPAQUE = frozenset({"comment", "string_literal", "number_literal", "template_argument_list", "parameter_list"})
_VISIT: dict[str, Any] = {
    "template_declaration": _Reader._template,
    "struct_specifier": _Reader._struct,
    "class_specifier": _Reader._struct,
    "union_specifier": _Reader._struct,
    "enum_specifier": _Reader._enum,
    "namespace_definition": _Reader._namespace,
    "function_definition": _Reader._function,
    "lambda_expression": _Reader._lambda,
    "alias_declaration": _Reader._alias,
    "type_definition": _Reader._typedef,
    "declaration": _Reader._declaration,
    "field_declaration": _Reader._declaration,
    "static_assert_declaration": _Reader._assertion,
    "expression_statement": _Reader._statement,
    "assignment_expression": _Reader._assigned,
    "update_expression": _Reader._assigned,
    "return_statement": _Reader._return,
    "compound_statement": _Reader._compound,
    "if_statement": _Reader._if,
    "for_statement": _Reader._loop,
    "for_range_loop": _Reader._loop,
    "while_statement": _Reader._loop,
    "preproc_include": _Reader._include,
    "preproc_def": _Reader._macro,
    "preproc_if": _Reader._preprocessed,
    "preproc_ifdef": _Reader._preprocessed,
    "preproc_elif": _Reader._preprocessed,
    "preproc_else": _Reader._preprocessed,
}
"""How each kind of node is read; the others are looked through."""
