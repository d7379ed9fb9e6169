// @ts-check
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Marks the entry of the list of contents whose part of the page is being read. */

const links = [...document.querySelectorAll(".contents a")];
const headings = links.map((link) =>
  document.getElementById(/** @type {HTMLAnchorElement} */ (link).hash.slice(1))
);

/** The last heading in the upper third of the window begins the part that is being read. */
function mark() {
  const read = headings.filter((each) =>
    each && each.getBoundingClientRect().top < innerHeight / 3
  );
  const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  const current = isAtEnd && scrollY > 0 ? links.length - 1 : read.length - 1;
  links.forEach((link, index) => {
    if (index === current) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  });
}

addEventListener("scroll", mark, { passive: true });
mark();
