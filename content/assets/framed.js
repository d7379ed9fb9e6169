// @ts-check
/// <reference lib="dom" />
/** Sends the height of this page to the page around the frame, where `/embed.js` adjusts the height of the frame. */

// Any origin may get the message, because the height is no secret and only listed sites can show this page in a frame.
const sendHeight = () => {
  const { height } = document.body.getBoundingClientRect();
  parent.postMessage({ waitlistHeight: Math.ceil(height) }, "*");
};

if (parent !== window) {
  new ResizeObserver(sendHeight).observe(document.body);
  // The script of the page around the frame may start later, and then asks for the height.
  addEventListener("message", ({ source, data }) => {
    if (source === parent && data === "waitlist-height") sendHeight();
  });
}
