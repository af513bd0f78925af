using Tarn.Lab.Replay;
using Tarn.Tests.Support;
using Tarn.Traces;
using static Tarn.Lab.Tests.Traces.TraceSamples;

namespace Tarn.Lab.Tests.Traces;

public class TraceModelTests
{
    private const int Events = 400_000;

    public static TheoryData<string> Names => [.. TraceLibrary.Names];

    [SkippableTheory]
    [MemberData(nameof(Names))]
    public void A_generated_trace_has_the_statistics_of_its_model(string name)
    {
        Skip.IfNot(StressLength.IsLong || name == "json", "one trace is enough for the short form; the long form has each");
        TraceModel model = TraceModel.Of(TraceLibrary.Read(name));

        BufferTrace generated = model.Generate(Events, seed: 1);

        Assert.Equal((Events, Events / 2), (generated.Events.Length, generated.Returned));
        Assert.InRange(model.DistanceTo(TraceModel.Of(generated)), 0, 0.05);
    }

    [Fact]
    public void Traces_of_different_programs_are_far_apart()
    {
        TraceModel[] models = [.. TraceLibrary.Names.Select(name => TraceModel.Of(TraceLibrary.Read(name)))];

        for (int one = 0; one < models.Length; one++)
        {
            for (int other = 0; other < models.Length; other++)
            {
                Assert.InRange(models[one].DistanceTo(models[other]), one == other ? 0 : 0.1, one == other ? 0 : 1);
            }
        }
    }

    [Fact]
    public void The_same_seed_generates_the_same_trace_and_another_seed_another()
    {
        TraceModel model = TraceModel.Of(TraceSamples.Random(seed: 1, events: 2_000));

        Assert.Equal(model.Generate(1_000, seed: 7).Events.ToArray(), model.Generate(1_000, seed: 7).Events.ToArray());
        Assert.NotEqual(model.Generate(1_000, seed: 7).Events.ToArray(), model.Generate(1_000, seed: 8).Events.ToArray());
    }

    [Fact]
    public void A_trace_of_one_rent_and_return_is_generated_at_any_length()
    {
        TraceModel model = TraceModel.Of(new BufferTrace(Origin, [Rent(), Return(0, time: 3)]));

        Assert.Empty(model.Generate(1, seed: 1).Events.ToArray());
        Assert.Equal(10, model.Generate(10, seed: 1).Events.Length);
    }

    [Fact]
    public void Nothing_is_generated_from_a_trace_without_returns()
    {
        TraceModel model = TraceModel.Of(new BufferTrace(Origin, [Rent()]));

        Assert.Throws<InvalidOperationException>(() => model.Generate(10, seed: 1));
    }
}
