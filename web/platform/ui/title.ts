let title = 'Lead Engine'
let count = 0

const write = () => {
  document.title = count > 0 ? `(${count}) ${title}` : title
}

export function setTitle(page: string) {
  title = `${page} · Lead Engine`
  write()
}

/** Adds to the number before the title, such as of leads that came. */
export function addToTitleCount(number: number) {
  count += number
  write()
}

export function clearTitleCount() {
  count = 0
  write()
}
