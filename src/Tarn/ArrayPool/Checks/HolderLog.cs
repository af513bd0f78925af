using System.Diagnostics;

namespace Tarn;

/// <summary>The holders of a rented buffer that many share, with the stacks at which they became holders, for reports of leaks.</summary>
/// <remarks>It refers to no buffer, so it keeps none alive. All members are safe to call from any thread.</remarks>
internal sealed class HolderLog
{
    private readonly Lock _lock = new();
    private readonly Dictionary<long, StackTrace> _stacks = [];

    /// <summary>Notes a holder. It stays unknown if there is no memory to note it.</summary>
    internal void Add(long token)
    {
        try
        {
            StackTrace stack = CallStack.Capture();
            using (_lock.Hold())
            {
                _stacks.Add(token, stack);
            }
        }
        catch (OutOfMemoryException)
        {
        }
    }

    internal void Remove(long token)
    {
        using (_lock.Hold())
        {
            _stacks.Remove(token);
        }
    }

    /// <summary>Returns the holders that are left: their stacks, each below a line with its number of holders, the most first.</summary>
    internal string? Describe()
    {
        StackTrace[] stacks;
        using (_lock.Hold())
        {
            stacks = [.. _stacks.Values];
        }

        return stacks.Length == 0 ? null : string.Join(
            Environment.NewLine,
            stacks.Select(CallStack.Describe).CountBy(static text => text).OrderByDescending(static group => group.Value)
                .Select(static group => $"held by {group.Value}, taken{Environment.NewLine}{group.Key.TrimEnd()}"));
    }
}
