// Cents as the page's language writes them, without places where there are none.
export function written(cents) {
  const places = cents % 100 ? 2 : 0;
  const figures = new Intl.NumberFormat(document.documentElement.lang, {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
  return figures.format(Math.abs(cents) / 100);
}
