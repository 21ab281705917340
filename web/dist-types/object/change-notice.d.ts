import { type ObjectName } from '../paths.js';
import './change-notice.css';
/** Says that the object changed while its page is open. The page stays as it is: its reader decides. */
export declare function ChangeNotice({ name }: {
    readonly name: ObjectName;
}): import("preact").JSX.Element;
