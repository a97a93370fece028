import { mount } from "svelte";
import "./lib/theme.svelte";
// General styles come first, so that those of a component can override them.
import "./look.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/layout.css";
import "./styles/view-styles.css";
import App from "./App.svelte";
import "./drawn/stage.css";
import { dealNotes } from "./lib/browser-storage.svelte";
import { loadLanguage } from "./words";

dealNotes.forgetOld();
await loadLanguage();

const target = document.getElementById("app");
if (target) mount(App, { target });

// So that the page opens offline. A browser that refuses does no harm.
if (import.meta.env.PROD) navigator.serviceWorker?.register("/offline.js").catch(() => {});
