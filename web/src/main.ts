import { mount } from "svelte";
import App from "./App.svelte";
import "./style.css";
import { begin } from "./words";

await begin();

const target = document.getElementById("app");
if (target) mount(App, { target });
