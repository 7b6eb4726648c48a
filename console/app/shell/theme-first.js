// Sets the chosen colours before anything is painted. A classic script, so that it comes before the first frame.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('assay-theme');
  } catch {
    // Without storage the system decides.
  }
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
})();
