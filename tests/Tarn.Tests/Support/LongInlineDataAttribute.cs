using System.Reflection;
using Xunit.Sdk;

namespace Tarn.Tests.Support;

/// <summary>
/// A row of a theory that only the long form has, because other rows show nearly the same. Skippable theories run it always.
/// </summary>
[AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
internal sealed class LongInlineDataAttribute : DataAttribute
{
    private readonly object[] _row;

    public LongInlineDataAttribute(params object[] row)
    {
        _row = row;
        if (!StressLength.IsLong)
        {
            Skip = $"Other rows are enough for the short form. Set {StressLength.LongVariable} to run this one.";
        }
    }

    /// <inheritdoc/>
    public override IEnumerable<object[]> GetData(MethodInfo testMethod) => [_row];
}
