using Tarn.Lab.Claims;

namespace Tarn.Lab.Tests.Claims;

public class ClaimChangesTests
{
    [Theory]
    [InlineData(0.89, 0.94, true)]
    [InlineData(0.89, 0.8, false)]
    [InlineData(0.89, 0.89, false)]
    [InlineData(0.885, 0.889, false)]
    [InlineData(0.89, double.NaN, true)]
    public void Only_what_documents_show_as_worse_would_change(double stated, double measured, bool changes) => Assert.Equal(
        changes ? [$"stream would change from {FigureStyle.Ratio.Format(stated)} to {FigureStyle.Ratio.Format(measured)}"] : [],
        ClaimChanges.Of([Result("stream", measured), Result("new", measured)], [Result("stream", stated), Result("other", stated)]));

    private static ClaimResult Result(string id, double value) => new()
    {
        Id = id,
        Sentence = id,
        Figure = FigureStyle.Ratio.Format(value),
        Value = value,
        Bound = 1,
        Holds = value <= 1,
        Evidence = [],
    };
}
