/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/copies.h"

#include "clock/notes.h"
#include "include/threadclock.h"
#include "jvm/status_pages.h"
#include "serve/server.h"

#include <stdio.h>
#include <string.h>

jint JNICALL Agent_OnAttach(JavaVM *vm, char *text, void *reserved);

/* Not static: the note names it. */
__attribute__((visibility("hidden"))) extern struct tclk_agent tclk_own_agent;

struct tclk_agent tclk_own_agent = {
    .interface = TCLK_AGENT_INTERFACE,
    .bytes = sizeof tclk_own_agent,
    .version = TCLK_VERSION,
    .serves = tclk_server_runs,
    .on_attach = Agent_OnAttach,
};

TCLK_NOTE(TCLK_NOTE_AGENT, tclk_own_agent);

void tclk_agent_set_active(bool active)
{
    tclk_own_agent.in_use = active;
    tclk_status_pages_tell_in_use(active);
}

void tclk_library_set_loaded(void)
{
    tclk_own_agent.is_library = true;
    tclk_status_pages_tell_loaded();
}

void tclk_agent_set_served(void)
{
    tclk_own_agent.has_served = true;
}

static bool is_other(const struct tclk_agent *agent)
{
    return agent != &tclk_own_agent && agent->interface == TCLK_AGENT_INTERFACE &&
           agent->bytes >= sizeof tclk_own_agent;
}

/* ---- another one in use ---- */

struct name {
    char *text;
    size_t size;
};

static bool is_active_copy(const void *table, const char *path, void *context)
{
    const struct tclk_agent *agent = table;
    struct name *name = context;
    if (!is_other(agent) || !agent->in_use) {
        return false;
    }
    (void)snprintf(name->text, name->size, "%s (%s)", path, agent->version);
    return true;
}

bool tclk_agent_other_copy(char *name, size_t size)
{
    struct name other = {name, size};
    name[0] = '\0';
    tclk_notes_search(TCLK_NOTE_AGENT, is_active_copy, &other);
    return name[0] != '\0';
}

/* ---- the one that acts ---- */

struct choice {
    bool is_of_view; /* it is the server that is asked */
    bool is_detach;
    int rank; /* of the best one so far */
    tclk_on_attach on_attach;
};

/* 0: a copy that nobody uses. */
static int rank(const struct tclk_agent *agent, const struct choice *choice)
{
    bool serves = agent->has_served && agent->serves();
    if (serves && choice->is_of_view) {
        return 4;
    }
    return agent->in_use ? 3 : serves ? 2 : agent->is_library;
}

static bool is_better(const void *table, const char *path, void *context)
{
    const struct tclk_agent *agent = table;
    struct choice *choice = context;
    (void)path;
    if (is_other(agent) && rank(agent, choice) > choice->rank &&
        (choice->is_detach || strcmp(agent->version, tclk_own_agent.version) == 0)) {
        choice->rank = rank(agent, choice);
        choice->on_attach = agent->on_attach;
    }
    return false;
}

tclk_on_attach tclk_copies_on_attach(const char *text)
{
    const char *asked = text == NULL ? "" : text;
    struct choice choice = {.is_of_view = strcmp(asked, "view") == 0 || strcmp(asked, "names") == 0,
                            .is_detach = strcmp(asked, "detach") == 0};
    choice.rank = rank(&tclk_own_agent, &choice);
    tclk_notes_search(TCLK_NOTE_AGENT, is_better, &choice);
    return choice.on_attach;
}
