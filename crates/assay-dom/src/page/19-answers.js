  // Building an answer may assign refs at any point, so the first free ref is added last.
  function written(answer) {
    answer.next = next;
    if (faulty) answer.struck = [sumOf, struck];
    return early.written(answer);
  }
  const questions = { map, query, read, begin, shield, watch, settle, firstSeen, focus, page, diff, annotate, unmark, highlight, waitFor, calm, isUnderway, scrollInfo, scrollEdge, localStore, optionPoint, offered, took, centre, frameAt, at, scene, fault, lift };
  const api = { elementFor, putIn };
  for (const [name, question] of Object.entries(questions)) {
    api[name] = (args) => {
      early.stayHome();
      if (args && args.next) next = Math.max(next, args.next);
      if (faulty || (args && args.faults)) keepFaults(args && args.faults);
      const answer = question(args);
      if (!(answer instanceof Promise)) return written(answer);
      return answer.then(
        (given) => { if (question !== settle) early.stayedHome(); return written(given); },
        (error) => { early.stayedHome(); throw error; });
    };
  }
  return api;
}
