using Tarn.Tests.Support;

namespace Tarn.Analyzers.Tests.Install;

/// <summary>A test of the long form: it starts the SDK, which takes seconds each time.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class LongFactAttribute : FactAttribute
{
    internal const string Reason = $"The test starts the SDK several times: {StressLength.LongVariable} asks for it.";

    public LongFactAttribute() => Skip = StressLength.IsLong ? null : Reason;
}
