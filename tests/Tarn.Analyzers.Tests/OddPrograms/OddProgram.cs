using System.Text;

namespace Tarn.Analyzers.Tests.OddPrograms;

/// <summary>
/// Writes a program that compiles, and that nobody would write: pooled buffers amid statements of every kind, nested at random.
/// </summary>
/// <remarks>
/// The same seed gives the same program. Every name is used once, and every variable has a value where it is declared, so that whatever
/// comes compiles. No using declaration stands where a goto may pass it.
/// </remarks>
internal sealed partial class OddProgram
{
    private readonly Random _random;
    private readonly StringBuilder _text = new();
    private readonly List<string> _handing = [];
    private int _names;
    private int _left;
    private Scope _scope = new();

    private OddProgram(int seed)
    {
        _random = new Random(seed);
    }

    /// <summary>A type with some members, named after the seed.</summary>
    internal static string Type(int seed)
    {
        OddProgram program = new(seed);
        program.WriteType($"Odd{seed}");
        return program._text.ToString();
    }

    /// <summary>Statements outside of any type.</summary>
    internal static string TopLevel(int seed)
    {
        OddProgram program = new(seed);
        program._text.AppendLine(Usings).AppendLine(Helpers).AppendLine(
            "int total = args.Length; byte[]? first = null; byte[]? second = ArrayPool<byte>.Shared.Rent(total);");
        program.WriteBody(new Scope { IsAsync = true, Arrays = ["first", "second"] }, 15);
        return program._text.ToString();
    }

    /// <summary>The program as it is while it is typed: something missing, doubled or put in at some places.</summary>
    internal static string Broken(int seed)
    {
        Random random = new(seed);
        StringBuilder text = new(Type(seed));
        string[] pieces =
        [
            "{", "}", "(", ")", ";", "=>", "await ", "yield return ", "using var ", "ref ", "?.", "is { ", "switch { ", "\"", "case ",
            "else ", "catch ", "goto ", "0x", "stackalloc ", "[]", "=", "..", "<", "new(",
        ];
        for (int i = random.Next(1, 6); i > 0; i--)
        {
            int place = random.Next(text.Length);
            int length = random.Next(Math.Min(12, text.Length - place));
            switch (random.Next(4))
            {
                case 0:
                    text.Remove(place, length);
                    break;
                case 1:
                    text.Insert(place, text.ToString(place, length));
                    break;
                case 2:
                    text.Insert(place, pieces[random.Next(pieces.Length)]);
                    break;
                default:
                    text.Length = random.Next(8) == 0 ? place + 1 : text.Length;
                    break;
            }
        }

        return text.ToString();
    }

    private const string Usings = "using System; using System.Buffers; using System.Collections.Generic; using System.IO; using "
        + "System.Linq; using System.Threading; using System.Threading.Tasks; using Tarn; using Tarn.Native;";

    /// <summary>Methods that hand back, hand out and pass on buffers, also through themselves and each other.</summary>
    private const string Helpers =
        "static byte[]? Same(byte[]? a) => a; static byte[] RentMore(int n) => n > 3 ? RentMore(n - 1) : ArrayPool<byte>.Shared.Rent(n); "
        + "static void Renew(ref byte[]? a, int n) { if (n > 3) Renew(ref a, n - 1); else a = Same(RentMore(n)); } "
        + "static void Even(byte[]? a, int n) { if (n > 0) Odd(a, n - 1); } "
        + "static void Odd(byte[]? a, int n) { if (n > 0) Even(Same(a), n - 1); else ArrayPool<byte>.Shared.Return(a!); }";

    private void WriteType(string name)
    {
        bool isClass = !Chance(5);
        string kind = isClass
            ? Pick("sealed class", "class", "partial class", "record", "abstract class")
            : Pick("struct", "partial struct", "record struct");
        string given = isClass ? "(byte[]? given)" : "";
        _text.AppendLine(Usings).AppendLine($"{kind} {name}{given} : IDisposable {{");
        _text.AppendLine(
            isClass
                ? "byte[]? _field = given; readonly byte[] _fixed = ArrayPool<byte>.Shared.Rent(3);"
                : "byte[]? _field; byte[]? _fixed;");
        _text.AppendLine(
            "byte[]? Automatic { get; set; } IMemoryOwner<byte>? _owner; bool _flag; static readonly object s_gate = new(); static "
                + "Stream s_stream = Stream.Null;");
        _text.AppendLine(
            isClass
                ? ""
                : $"public {name}(int length) {{ _field = ArrayPool<byte>.Shared.Rent(length); _fixed = _field; Automatic = null; "
                    + "_owner = null; _flag = false; }");
        _text.AppendLine(
            "static void Keep(byte[]? a) { } static void Swap(ref byte[]? a, out byte[]? b) { b = a; a = null; } static int "
                + "Look(ReadOnlySpan<byte> s) => s.Length; " + Helpers);
        for (int i = _random.Next(1, 3); i > 0; i--)
        {
            WriteMember(name, isClass);
        }

        _text.Append("public void Dispose() { int total = 0; byte[]? first = null; byte[]? second = null; ");
        WriteBody(new Scope { Arrays = ["first", "second"], HasFields = true, MayCaptureFields = isClass }, 4);
        _text.AppendLine("} }");
    }

    private void WriteMember(string name, bool isClass)
    {
        const string Start = " { int total = 0; byte[]? first = null; byte[]? second = ArrayPool<byte>.Shared.Rent(9); ";
        Scope scope = new() { Arrays = ["first", "second"], HasFields = true, MayCaptureFields = isClass };
        string member = Name("M");
        switch (_random.Next(isClass ? 9 : 7))
        {
            case 0:
                Member($"void {member}(int n){Start}", scope, "");
                break;
            case 1:
                Member($"int {member}(int n){Start}", scope with { Result = "total" }, "return total;");
                break;
            case 2:
                Member($"async Task {member}(int n){Start}", scope with { IsAsync = true, HasFields = isClass }, "");
                break;
            case 3:
                Member(
                    $"IEnumerable<int> {member}(int n){Start}",
                    scope with { IsIterator = true, HasFields = isClass },
                    "yield return total;");
                break;
            case 4:
                Member(
                    $"async IAsyncEnumerable<int> {member}(int n){Start}",
                    scope with { IsAsync = true, IsIterator = true, HasFields = isClass },
                    "yield return total;");
                break;
            case 5:
                Member($"int {member} {{ get {Start}", scope with { Result = "total" }, "return total; }");
                break;
            case 6:
                Member(
                    $"static byte[]? {member}(ref byte[]? third, out byte[]? fourth, in int c) {{ fourth = third; {Start[2..]}",
                    scope with { HasFields = false, MayNest = false, Arrays = ["first", "second", "third", "fourth"], Result = "second" },
                    "return first;");
                _handing.Add(member);
                break;
            case 7:
                Member($"~{name}(){Start}", scope, "");
                break;
            default:
                Member(
                    $"public static {name}? operator +({name} left, int right){Start}",
                    scope with { HasFields = false, Result = "left" },
                    "return null;");
                break;
        }
    }

    private void Member(string head, Scope scope, string end)
    {
        if (head.StartsWith('~') && _text.ToString().Contains(head[..head.IndexOf('(')], StringComparison.Ordinal)
            || head.Contains("operator", StringComparison.Ordinal) && _text.ToString().Contains("operator +", StringComparison.Ordinal))
        {
            return;
        }

        _text.Append(head);
        WriteBody(scope, Chance(40) ? 25 : _random.Next(2, 8));
        _text.Append(end).AppendLine("}");
    }

    private void WriteBody(Scope scope, int statements)
    {
        _scope = scope;
        _left = statements;
        while (_left > 0)
        {
            WriteStatement();
        }
    }

    private string Name(string prefix) => $"{prefix}{_names++}";

    private bool Chance(int of) => _random.Next(of) == 0;

    private string Pick(params string[] choices) => choices[_random.Next(choices.Length)];

    private string Array() => Pick([.. _scope.Arrays]);

    /// <summary>The position of a statement, which decides the statements allowed there.</summary>
    private sealed record Scope
    {
        internal bool IsAsync { get; init; }

        internal bool IsIterator { get; init; }

        /// <summary>Whether an await, or a yield, would be refused here.</summary>
        internal bool IsLocked { get; init; }

        internal bool MayYield { get; init; } = true;

        internal bool IsInLoop { get; init; }

        internal bool MayLeave { get; init; } = true;

        /// <summary>Whether in a catch or finally, where nothing may be put on the stack.</summary>
        internal bool IsHandler { get; init; }

        internal bool HasFields { get; init; }

        internal bool MayCaptureFields { get; init; }

        internal bool MayNest { get; init; } = true;

        internal string? Result { get; init; }

        internal int Depth { get; init; }

        internal List<string> Arrays { get; init; } = [];

        internal List<string> Owners { get; init; } = [];

        internal List<string> Labels { get; init; } = [];

        /// <summary>Whether spans, pointers and references to variables may be held.</summary>
        internal bool IsPlain => !IsAsync && !IsIterator && !IsHandler;

        internal Scope Inner() => this with { Depth = Depth + 1, Arrays = [.. Arrays], Owners = [.. Owners], Labels = [.. Labels] };
    }
}
