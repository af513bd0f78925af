using System.Diagnostics;

namespace Tarn.Native;

/// <summary>How reports name blocks and stacks.</summary>
internal static class BlockWords
{
    internal static string Name(CheckedBlock block) => $"the block at {Address(block.Start)} of {block.Size} bytes";

    internal static string Address(nuint address) => $"0x{address:x}";

    internal static string? Tell(StackTrace? stack) => stack is null ? null : CallStack.Describe(stack);

    /// <summary>Formats a stack under a headline; empty without a stack.</summary>
    internal static string Tell(string headline, StackTrace? stack) =>
        stack is null ? "" : $"{Environment.NewLine}{headline}{Environment.NewLine}{CallStack.Describe(stack).TrimEnd()}";
}
