import { Drawer as BareDrawer, Modal as BareModal, type DrawerProps, type ModalProps } from '@mantine/core'
import { useBackCloses } from './back-closes.ts'

interface InUrl {
  /** The URL says that it is open: Back closes it without more. */
  inUrl?: boolean
}

/** A dialog in the middle of the page. */
export function Modal({ inUrl = false, ...props }: ModalProps & InUrl) {
  useBackCloses(props.opened && !inUrl, props.closeOnEscape === false ? undefined : props.onClose)
  return <BareModal {...props} />
}

/** A dialog at an edge of the page. */
export function Drawer({ inUrl = false, ...props }: DrawerProps & InUrl) {
  useBackCloses(props.opened && !inUrl, props.closeOnEscape === false ? undefined : props.onClose)
  return <BareDrawer {...props} />
}
