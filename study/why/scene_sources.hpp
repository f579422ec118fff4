// Sources: whose lines are whose. A program's own lines name no framework but in session_began, and two may
// be called alike: lines that tell their program's life are kept apart by it, older ones by the name alone.
#pragma once

#include <string>

#include "study/why/scene.hpp"

namespace proffer::study::why {

/// Returns the framework that the allocator knows by that id; null when no line has named it.
FrameworkScene* framework_of(Scene& scene, FrameworkId id);
const FrameworkScene* framework_of(const Scene& scene, FrameworkId id);
/// Returns the framework that subscribes under an id: a known one, one whose own lines came before, or a new
/// one.
FrameworkScene& subscribed(Scene& scene, FrameworkId id, const std::string& name);
/// Returns the entry of the framework whose own line this is; it may be changed by began().
FrameworkNo& source_of(Scene& scene, const TraceLine& line, const std::string& name, bool restarted);
/// Lines of that program are from now on those of the framework with that id.
void began(Scene& scene, FrameworkNo& source, FrameworkId id);

}  // namespace proffer::study::why
