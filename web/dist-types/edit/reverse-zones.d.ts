import type { SubmittedAttribute } from '@cadastre/client';
import { type AddressRange } from '@cadastre/rpsl';
/** What all zones of a prefix have in common. */
export interface ZoneFields {
    /** Lists are lines, or separated by commas. */
    readonly nservers: string;
    readonly descr: string;
    readonly adminContacts: string;
    readonly techContacts: string;
    readonly zoneContacts: string;
    readonly maintainers: string;
}
/** Reads a prefix or range of addresses; undefined for another text. */
export declare function rangeOfText(text: string): AddressRange | undefined;
/**
 * The reverse zones of a range: as few as possible, each of whole octets (/8, /16, /24) or nibbles, and for parts of a
 * /24 a range of last octets (`64-127.2.0.192.in-addr.arpa`, after RFC 2317) or an address. At most one more than
 * `mostObjects`.
 */
export declare function reverseZones({ family, first, last }: AddressRange): string[];
/** The elements of a list as a user writes it. */
export declare function elementsOf(text: string): string[];
/** The object of a zone. */
export declare function zoneObject(zone: string, fields: ZoneFields, source: string): SubmittedAttribute[];
