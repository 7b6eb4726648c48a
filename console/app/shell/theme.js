// Light, dark, or as the system says.

const ORDER = ['auto', 'light', 'dark'];

export function themeName() {
  return document.documentElement.dataset.theme ?? 'auto';
}

export function nextTheme() {
  const next = ORDER[(ORDER.indexOf(themeName()) + 1) % ORDER.length];
  if (next === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem('assay-theme', next);
  } catch {
    // It holds for this page then.
  }
}
