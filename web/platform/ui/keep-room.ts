/** Returns a ref that marks its element. The page leaves room for the highest one, by a custom property with the height. */
const keepRoom = (property: string, attribute: string, gap = 16) => {
  const elements = new Set<HTMLElement>()
  const show = () => {
    const { style } = document.documentElement
    const heights = [...elements].map((element) => element.getBoundingClientRect().height)
    if (heights.length === 0) style.removeProperty(property)
    else style.setProperty(property, `${Math.ceil(Math.max(...heights)) + gap}px`)
  }
  return (element: HTMLElement) => {
    const observer = new ResizeObserver(show)
    elements.add(element)
    element.setAttribute(attribute, '')
    observer.observe(element)
    show()
    return () => {
      observer.disconnect()
      elements.delete(element)
      show()
    }
  }
}

/** The ref of a bar at the bottom of a page. Messages are shown above it. */
export const bottomBar = keepRoom('--bar-height', 'data-bottom-bar')

/** The ref of the bars at the top of each page. Headers of tables stay below them. */
export const topBars = keepRoom('--bars-height', 'data-top-bar', 0)

/** The ref of calls that ring. What the page shows last can be scrolled above them. */
export const ringingCards = keepRoom('--calls-height', 'data-ringing-cards')
