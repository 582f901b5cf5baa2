"""A threshold has one home: two modules that each state it would part when one of them is changed."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import chunkeval


def test_no_threshold_is_stated_in_two_modules() -> None:
    homes = defaultdict(set)
    for file in Path(chunkeval.__file__).parent.rglob("*.py"):
        for statement in ast.parse(file.read_text("utf-8")).body:
            for name in _assigned(statement):
                if name.startswith(("MIN_", "MAX_")):
                    homes[name].add(file.name)
    assert "MIN_CHUNKS" in homes
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def _assigned(statement: ast.stmt) -> list[str]:
    if not isinstance(statement, ast.Assign | ast.AnnAssign):
        return []
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
