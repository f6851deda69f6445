/** Returns whether only programs on the same computer can open the URL. */
export const isLocalUrl = (url: string) =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(new URL(url).hostname)
