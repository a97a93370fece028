import svelte from "eslint-plugin-svelte";
import { defineConfig, globalIgnores } from "eslint/config";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default defineConfig(
    globalIgnores(["src/wire.ts", "src/words/generated/"]), // generated
    { linterOptions: { reportUnusedDisableDirectives: "error" } },
    ts.configs.recommended,
    svelte.configs.recommended,
    {
        files: ["**/*.ts", "**/*.svelte"],
        languageOptions: {
            parserOptions: {
                parser: ts.parser,
                projectService: true,
                tsconfigRootDir: import.meta.dirname,
                extraFileExtensions: [".svelte"],
                svelteConfig,
            },
        },
        rules: {
            "@typescript-eslint/no-floating-promises": "error",
            "@typescript-eslint/await-thenable": "error",
        },
    },
    {
        rules: {
            eqeqeq: ["error", "always", { null: "ignore" }],
            // An underscore names a parameter or loop variable that is not used.
            "@typescript-eslint/no-unused-vars": [
                "error",
                { argsIgnorePattern: "^_$", varsIgnorePattern: "^_$", ignoreRestSiblings: true },
            ],
            // Most of our maps and sets are not reactive state; where one should be, the browser tests notice.
            "svelte/prefer-svelte-reactivity": "off",
            // {" "} keeps a space that Prettier would remove.
            "svelte/no-useless-mustaches": "off",
        },
    },
);
