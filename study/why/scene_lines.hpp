// Handlers of the lines of an event log: each puts what one line says into the scene.
#pragma once

#include "study/why/scene.hpp"

namespace proffer::study::why {

void allocator_line(Scene& scene, const Trace& trace);
/// Takes a line of a framework's own. The line may not be SessionBegan, which says whose lines they are.
void framework_line(Scene& scene, FrameworkScene& framework, const Trace& trace);

}  // namespace proffer::study::why
