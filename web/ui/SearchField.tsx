import { CloseButton, Kbd, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { usePageKeys } from './page-keys.ts'

interface Props {
  label: string
  value: string
  /** Called 200 ms after the last letter. */
  onSearch(text: string): void
}

export function SearchField({ label, value, onSearch }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value)
  const told = useRef(value)

  // The address changed by itself: back, or a link.
  useEffect(() => {
    if (value !== told.current) {
      told.current = value
      setTyped(value)
    }
  }, [value])

  useEffect(() => {
    if (typed.trim() === told.current) return
    const timer = setTimeout(() => {
      told.current = typed.trim()
      onSearch(typed.trim())
    }, 200)
    return () => clearTimeout(timer)
  }, [typed, onSearch])

  /** Not waited for: there is no next letter. */
  const search = (text: string) => {
    setTyped(text)
    if (text.trim() === told.current) return
    told.current = text.trim()
    onSearch(told.current)
  }

  usePageKeys([['/', () => input.current?.focus()]])

  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search(typed)
        if (event.key !== 'Escape') return
        if (typed) search('')
        else input.current?.blur()
        event.stopPropagation()
      }}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        typed ? (
          <CloseButton size="sm" aria-label="Clear the search" onClick={() => search('')} />
        ) : (
          <Kbd size="xs" visibleFrom="sm">
            /
          </Kbd>
        )
      }
      w={{ base: '100%', xs: 280 }}
      maxLength={200}
    />
  )
}
