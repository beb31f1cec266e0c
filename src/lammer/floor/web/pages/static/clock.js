// Offers the clock of this device beside those of the house.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

for (const list of document.querySelectorAll("select[name=clock]")) {
  const known = [...list.options].some((option) => option.value === zone);
  if (zone && !known) list.add(new Option(list.dataset.device.replace("{zone}", zone), zone));
}
