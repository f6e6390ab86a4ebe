// All of nouq for C++: read data, train, select, evaluate, predict, project, save; and problems, constraints
// and metrics of one's own.
//
//   nouq::DataSet runs = nouq::read("runs.h5");
//   nouq::Model model = nouq::train(runs, {.method = "diverse", .epochs = 200},
//   nouq::progress_to(std::cerr)); nouq::Evaluation report = nouq::evaluate(model, nouq::read("test.h5"),
//   {.project = "bounded"}); nouq::Answer answer = model.predict(inputs); model.save("pme.nouq");
#pragma once

#include <nouq/architecture.h>
#include <nouq/constraint.h>
#include <nouq/data.h>
#include <nouq/error.h>
#include <nouq/evaluate.h>
#include <nouq/files.h>
#include <nouq/gradient.h>
#include <nouq/import.h>
#include <nouq/improve.h>
#include <nouq/input_parameters.h>
#include <nouq/metrics.h>
#include <nouq/model.h>
#include <nouq/network.h>
#include <nouq/prediction.h>
#include <nouq/problem.h>
#include <nouq/problem_data.h>
#include <nouq/progress.h>
#include <nouq/project.h>
#include <nouq/rollout.h>
#include <nouq/settings.h>
#include <nouq/suggest.h>
#include <nouq/train.h>
#include <nouq/version.h>
