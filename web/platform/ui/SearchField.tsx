import { t } from '@lingui/core/macro'
import { CloseButton, Kbd, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { usePageKeys } from './page-keys.ts'

interface Props {
  label: string
  value: string
  /** Called 200 ms after the last change. */
  onSearch(text: string): void
  /** Called on Enter and on arrow down, which lead to the results of `text`. */
  onLeave?(text: string): void
}

export function SearchField({ label, value, onSearch, onLeave }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value)
  const searched = useRef(value)

  // The URL changed: back, or a link.
  useEffect(() => {
    if (value !== searched.current) {
      searched.current = value
      setTyped(value)
    }
  }, [value])

  useEffect(() => {
    if (typed.trim() === searched.current) return
    const timer = setTimeout(() => {
      searched.current = typed.trim()
      onSearch(typed.trim())
    }, 200)
    return () => clearTimeout(timer)
  }, [typed, onSearch])

  /** Searches without a delay. */
  const search = (text: string) => {
    setTyped(text)
    if (text.trim() === searched.current) return
    searched.current = text.trim()
    onSearch(searched.current)
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
        if (event.key === 'Enter' || event.key === 'ArrowDown') {
          event.preventDefault()
          search(typed)
          onLeave?.(typed.trim())
        }
        if (event.key !== 'Escape') return
        if (typed) search('')
        else input.current?.blur()
        event.stopPropagation()
      }}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        typed ? (
          <CloseButton size="sm" aria-label={t`Clear search`} onClick={() => search('')} />
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
