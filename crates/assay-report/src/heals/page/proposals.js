// What is proposed, as it was written into the page.

const run = JSON.parse(byId("run-data").textContent);
const { proposals } = run;
