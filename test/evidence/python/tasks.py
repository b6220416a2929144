"""Prints the benchmark's tasks on a forge: template, tasks and what is asked for, without any text."""

import json
import sys
from importlib import resources

data = resources.files("webarena_verified") / "assets" / "dataset" / "webarena-verified.json"
templates = {}
for task in json.loads(data.read_text()):
    if "gitlab" not in task["sites"]:
        continue
    answer = next(each for each in task["eval"] if each["evaluator"] == "AgentResponseEvaluator")
    known = templates.setdefault(task["intent_template_id"], {"tasks": [], "kind": answer["expected"]["task_type"]})
    known["tasks"].append(task["task_id"])
json.dump([{"template": template, **known} for template, known in templates.items()], sys.stdout)
