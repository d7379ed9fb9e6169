// @ts-check
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** For pages of other sites: sets the height of each frame of this service to the height of the page in it. */
(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const { origin } = new URL(script.src);
  const frames = () =>
    [...document.querySelectorAll("iframe")].filter(({ src }) => src.startsWith(`${origin}/`));

  addEventListener("message", (event) => {
    const height = event.data?.waitlistHeight;
    // A frame with `sandbox` but without `allow-same-origin` has the origin "null".
    if (![origin, "null"].includes(event.origin) || !(height > 0)) return;
    for (const frame of frames()) {
      if (frame.contentWindow === event.source) frame.style.height = `${height}px`;
    }
  });

  // A frame that was loaded before this script sends its height once more.
  for (const frame of frames()) frame.contentWindow?.postMessage("waitlist-height", "*");
})();
