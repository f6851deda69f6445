import { t } from '@lingui/core/macro'
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import styles from './CopyButton.module.css'

/** `label` says what is copied: "Copy URL". */
export function CopyButton({ value, label, withText = false }: { value: string; label: string; withText?: boolean }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    if (!(await copyText(value))) return
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  const text = copied ? t`Copied` : label
  const icon = copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
  if (withText)
    return (
      <Button variant="default" leftSection={icon} onClick={copy}>
        {text}
      </Button>
    )
  return (
    <Tooltip label={text}>
      <ActionIcon variant="subtle" color="gray" size={32} aria-label={text} onClick={copy}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}

/** Returns whether it worked. Over plain HTTP, as in an office network, there is no `navigator.clipboard`. */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  // Within the dialog, if one is open, which would not let go of the focus.
  const place = focused?.closest('[role=dialog]') ?? document.body
  place.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}

/** An address, a key or a command, whole, with its copy button. `label` says what it is. */
export function CopyableText({ value, label }: { value: string; label: string }) {
  return (
    <div className={styles.copyable}>
      <pre className="code">{value}</pre>
      <CopyButton value={value} label={t`Copy ${{ what: label.toLowerCase() }}`} />
    </div>
  )
}
