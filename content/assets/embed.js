// @ts-check
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** For pages of other sites: sets the height of each frame of this service, and passes a referral code on to it. */
(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const { origin } = new URL(script.src);
  const frames = () =>
    [...document.querySelectorAll("iframe")].filter(({ src }) => src.startsWith(`${origin}/`));

  const codes = new URLSearchParams(location.search).getAll("r");

  /** @param {HTMLIFrameElement} frame */
  const passCodeOn = (frame) => {
    const address = new URL(frame.src);
    const isForm = /^\/(de\/)?embed\/$/.test(address.pathname);
    if (!isForm || address.searchParams.has("r") || !/^\w{10}$/.test(codes.join())) return;
    address.searchParams.set("r", `${codes}`);
    frame.src = address.href;
  };

  addEventListener("message", (event) => {
    const height = event.data?.waitlistHeight;
    // A frame with `sandbox` but without `allow-same-origin` has the origin "null".
    if (![origin, "null"].includes(event.origin) || !(height > 0)) return;
    for (const frame of frames()) {
      if (frame.contentWindow !== event.source) continue;
      frame.style.height = `${height}px`;
      passCodeOn(frame);
    }
  });

  for (const frame of frames()) {
    passCodeOn(frame);
    // A frame that was loaded before this script sends its height once more.
    frame.contentWindow?.postMessage("waitlist-height", "*");
  }
})();
