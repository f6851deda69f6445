import { Menu as BareMenu, type MenuProps } from '@mantine/core'
import { useState } from 'react'
import { useBackCloses } from './back-closes.ts'

/** A menu, which the browser's Back closes. */
export function Menu({ opened: given, onChange, ...props }: MenuProps) {
  const [own, setOwn] = useState(false)
  const opened = given ?? own
  const change = (next: boolean) => {
    setOwn(next)
    onChange?.(next)
  }
  useBackCloses(opened, () => change(false))
  return <BareMenu {...props} opened={opened} onChange={change} />
}

Menu.Target = BareMenu.Target
Menu.Dropdown = BareMenu.Dropdown
Menu.Label = BareMenu.Label
Menu.Item = BareMenu.Item
Menu.CheckboxItem = BareMenu.CheckboxItem
Menu.Divider = BareMenu.Divider
