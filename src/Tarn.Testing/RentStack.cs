using System.Diagnostics;
using System.Reflection;
using System.Text;

namespace Tarn.Testing;

/// <summary>Describes the stack of a rent.</summary>
internal static class RentStack
{
    /// <summary>The most lines: a recursion has thousands.</summary>
    private const int MostLines = 20;

    /// <summary>Assemblies of runtimes and test frameworks: those with one of these names, or with one of them before a dot.</summary>
    private static readonly string[] s_frameworks =
    [
        "System", "Microsoft.TestPlatform", "Microsoft.VisualStudio", "Microsoft.Testing", "testhost", "vstest", "xunit", "nunit",
        "NUnit3", "MSTest", "MSTestAdapter", "TUnit",
    ];

    /// <summary>The stack from the method that called the pool to the outermost one that is not the test framework's.</summary>
    internal static string Describe(StackTrace stack)
    {
        StackFrame[] frames = [.. stack.GetFrames().SkipWhile(static frame => IsPools(frame) || IsFrameworks(frame))];
        StackFrame[] test = frames[..EndOfTest(frames)];
        int own = Array.FindLastIndex(test, static frame => !IsFrameworks(frame)) + 1;
        StackFrame[] shown = own > 0 ? test[..own] : stack.GetFrames();
        StringBuilder text = new();
        foreach (StackFrame frame in shown.Where(IsShown).Take(MostLines))
        {
            text.Append("   at ").Append(NameOf(frame.GetMethod()!)).AppendLine(SourceLines.Find(frame));
        }

        return text.ToString().TrimEnd('\r', '\n');
    }

    /// <summary>
    /// The kind of the pool that has the innermost method of a pool; null if none of arrays is on the stack. Stacks do not tell the type of
    /// the elements.
    /// </summary>
    internal static string? PoolOf(StackTrace stack)
    {
        Type? pool = stack.GetFrames()
            .Select(static frame => frame.GetMethod()?.DeclaringType)
            .FirstOrDefault(static type => type is { IsGenericType: true } && IsPool(type));
        return pool?.Name switch
        {
            null => null,
            "SharedArrayPool`1" => "ArrayPool<T>.Shared",
            "ConfigurableArrayPool`1" => "ArrayPool<T>.Create",
            _ => NameOf(pool),
        };
    }

    private static bool IsPool(Type type)
    {
        Type? ancestor = type;
        while (ancestor is not null && !(ancestor.Namespace == "System.Buffers" && ancestor.Name == "ArrayPool`1"))
        {
            ancestor = ancestor.BaseType;
        }

        return ancestor is not null;
    }

    private static bool IsPools(StackFrame frame) =>
        frame.GetMethod()?.DeclaringType is { } type
        && (type.Assembly == typeof(RentStack).Assembly || type.Assembly.GetName().Name is "Tarn" or "Tarn.SharedMemory" || IsPool(type));

    /// <summary>
    /// Where a test framework calls the test, by reflection; the whole stack if none does. Further out may be another test, whose end ran
    /// this one.
    /// </summary>
    private static int EndOfTest(StackFrame[] frames)
    {
        for (int i = 0; i < frames.Length; i++)
        {
            if (frames[i].GetMethod()?.DeclaringType?.Namespace == "System.Reflection"
                && frames.Skip(i).FirstOrDefault(static frame => !IsRuntimes(frame)) is { } caller
                && IsFrameworks(caller))
            {
                return i;
            }
        }

        return frames.Length;
    }

    /// <summary>Not what the compiler puts between asynchronous methods.</summary>
    private static bool IsShown(StackFrame frame) =>
        frame.GetMethod() is { } method && method.DeclaringType?.Namespace != "System.Runtime.CompilerServices";

    private static bool IsFrameworks(StackFrame frame)
    {
        Type? type = frame.GetMethod()?.DeclaringType;
        if (type is null || IsGenerated(type.DeclaringType ?? type))
        {
            return true;
        }

        string assembly = AssemblyOf(frame);
        return s_frameworks.Any(name => assembly.Equals(name, StringComparison.OrdinalIgnoreCase)
            || assembly.StartsWith(name + ".", StringComparison.OrdinalIgnoreCase));
    }

    private static bool IsRuntimes(StackFrame frame) => AssemblyOf(frame).StartsWith("System.", StringComparison.Ordinal);

    private static string AssemblyOf(StackFrame frame) => frame.GetMethod()?.DeclaringType?.Assembly.GetName().Name ?? "";

    /// <summary>Whether a type is in the test's assembly but not its author's: the attribute, and a runner's entry point.</summary>
    private static bool IsGenerated(Type type) =>
        type.FullName == "Tarn.Testing.AssertBuffersReturnedAttribute" || type == type.Assembly.EntryPoint?.DeclaringType;

    /// <summary>The method with its type, as the source has them: a state machine's step is the method that it came from.</summary>
    private static string NameOf(MethodBase method)
    {
        Type? type = method.DeclaringType;
        if (type is { Name: ['<', ..], DeclaringType: { } outer } && type.Name.IndexOf('>', StringComparison.Ordinal) is > 1 and var end)
        {
            return $"{NameOf(outer)}.{type.Name[1..end]}";
        }

        string name = method.Name is ['<', ..] && method.Name.IndexOf('>', StringComparison.Ordinal) is > 1 and var last
            ? method.Name[1..last]
            : method.Name;
        while (type is { Name: ['<', ..], DeclaringType: { } around })
        {
            type = around;
        }

        return type is null ? name : $"{NameOf(type)}.{name}";
    }

    private static string NameOf(Type type)
    {
        string name = type.Name.Split('`')[0];
        string arguments = type.IsGenericType
            ? $"<{string.Join(", ", type.GetGenericArguments().Select(static argument => argument.Name.Trim('_')))}>"
            : "";
        return type.IsNested ? $"{NameOf(type.DeclaringType!)}.{name}{arguments}"
            : IsPool(type) || type.Namespace is null ? name + arguments
            : $"{type.Namespace}.{name}{arguments}";
    }
}
