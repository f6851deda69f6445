/** Returns a ref. What lies over the page leaves room for its element, by a custom property of the page with the height. */
const keepRoom = (property: string) => (element: HTMLElement) => {
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => {
    style.setProperty(property, `${Math.ceil(element.getBoundingClientRect().height) + 16}px`)
  })
  observer.observe(element)
  return () => {
    observer.disconnect()
    style.removeProperty(property)
  }
}

/** The ref of a bar at the bottom of a page. Messages are shown above it. */
export const bottomBar = keepRoom('--bar-height')

/** The ref of calls that ring. What the page shows last can be scrolled above them. */
export const ringingCards = keepRoom('--calls-height')
